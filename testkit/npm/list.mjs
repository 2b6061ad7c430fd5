// An MCP client of the official SDK that lists the tools of a Streamable HTTP server and calls one that repeats a text.
//   node list.mjs URL KEY TOOL
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, key, tool] = process.argv.slice(2);
const client = new Client({ name: 'test', version: '1' });
await client.connect(
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${key}` } } })
);
const { tools } = await client.listTools();
const result = await client.callTool({ name: tool, arguments: { text: 'said by TLS' } });
await client.close();
console.log(JSON.stringify({ tools: tools.map(each => each.name), content: result.content }));
