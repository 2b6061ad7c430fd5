// An MCP client of the official SDK that lists tools and calls some, and prints what came of it as one line of JSON.
//   node client.mjs http URL KEY PREFIX | node client.mjs stdio PREFIX COMMAND [ARGUMENT…]
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [mode, ...rest] = process.argv.slice(2);
let transport;
let prefix;
if (mode === 'http') {
  const [url, key] = rest;
  prefix = rest[2] ?? '';
  transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } }
  });
} else {
  const [, command, ...args] = rest;
  prefix = rest[0];
  transport = new StdioClientTransport({ command, args, env: process.env, stderr: 'inherit' });
}

const client = new Client({ name: 'test', version: '1' }, { capabilities: { sampling: {}, elicitation: {} } });
client.setRequestHandler(CreateMessageRequestSchema, async () => ({
  model: 'none',
  role: 'assistant',
  content: { type: 'text', text: 'sampled' }
}));
client.setRequestHandler(ElicitRequestSchema, async () => ({
  action: 'accept',
  content: { username: 'elicited', email: 'a@example.com', name: 'elicited' }
}));

await client.connect(transport);
// What counts is what came: where a notification and its call's answer arrive in one piece, the SDK itself drops the
// notification, because it forgets the call before it gets to hand the notification over. It does so without a gateway, too.
const progress = [];
const answered = new Set();
let late = 0;
const hear = transport.onmessage;
transport.onmessage = (message, extra) => {
  if (message.method === 'notifications/progress') {
    progress.push(message.params.progress);
    late += answered.has(message.params.progressToken) ? 1 : 0;
  } else if (message.method === undefined) {
    answered.add(message.id);
  }
  hear(message, extra);
};
const { tools } = await client.listTools();
const called = {};
const everything = [
  ['echo', { message: 'hello' }],
  ['trigger-sampling-request', { prompt: 'p', maxTokens: 10 }],
  ['trigger-elicitation-request', {}],
  ['trigger-long-running-operation', { duration: 1, steps: 2 }]
];
const conformance = [
  ['test_simple_text', {}],
  ['test_sampling', { prompt: 'p' }],
  ['test_elicitation', { message: 'm' }],
  ['test_tool_with_progress', {}]
];
const isEverything = tools.some(tool => tool.name === `${prefix}echo`);
for (const [tool, args] of isEverything ? everything : conformance) {
  const result = await client.callTool({ name: prefix + tool, arguments: args }, undefined, {
    onprogress: () => {}
  });
  called[tool] = result.content.map(block => block.text).join(' ');
}
await client.close();
console.log(JSON.stringify({ tools: tools.map(tool => tool.name), called, progress, late }));
