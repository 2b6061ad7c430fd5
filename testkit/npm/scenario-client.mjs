// The client of the official conformance suite's client scenarios: speaks plain HTTP, so that a scenario sees what it would see
// of any client. The suite names the scenario in its environment and adds its server's URL as the last argument.
//   node scenario-client.mjs direct URL | node scenario-client.mjs GATEWAY_FOR URL
// GATEWAY_FOR is asked, with the scenario's URL as the body, for the address of a gateway before that server; the gateway does then
// what a client must do, and this client does no more than it has to. At the end it is told that the gateway can go.
const [via, server] = process.argv.slice(2);
const direct = via === 'direct';
const url = direct ? server : await (await fetch(via, { method: 'POST', body: server })).text();
const scenario = process.env.MCP_CONFORMANCE_SCENARIO;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const modernVersion = '2026-07-28';
const modernEra = (process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? '2025-11-25') >= modernVersion;
const capabilities = { elicitation: { applyDefaults: true }, sampling: {}, roots: {} };
const basics = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
let lastId = 0;

/** A header's value for a text, as 2026-07-28 has it. */
function encoded(value) {
  const text = String(value);
  const plain = /^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/.test(text) || text === '';
  const looksEncoded = text.startsWith('=?base64?') && text.endsWith('?=');
  return plain && !looksEncoded ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** Events as they come: their ids and their messages. */
async function* events(body) {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const id = lines.find(line => line.startsWith('id: '))?.slice(4);
      const retry = lines.find(line => line.startsWith('retry: '))?.slice(7);
      const data = lines.filter(line => line.startsWith('data: ') && line.length > 6).map(line => line.slice(6));
      yield { id, retry, message: data.length ? JSON.parse(data.join('\n')) : undefined };
    }
  }
}

const isStream = response => (response.headers.get('content-type') ?? '').includes('text/event-stream');

/** What a person would fill in: the defaults where there are any. */
function filledIn(schema) {
  return Object.fromEntries(
    Object.entries(schema?.properties ?? {}).map(([name, field]) => [
      name,
      field.default ?? (field.type === 'boolean' ? true : field.type === 'string' ? 'x' : 1)
    ])
  );
}

function answerTo(request) {
  switch (request.method) {
    case 'elicitation/create':
      return { action: 'accept', content: filledIn(request.params.requestedSchema) };
    case 'roots/list':
      return { roots: [] };
    default:
      return { role: 'assistant', model: 'none', content: { type: 'text', text: 'sampled' } };
  }
}

// 2026-07-28

const marked = {};

function parameterHeaders(params) {
  const headers = {};
  for (const [name, property] of Object.entries(marked[params.name]?.properties ?? {})) {
    const value = params.arguments?.[name];
    if (property['x-mcp-header'] && value !== null && value !== undefined) {
      headers[`Mcp-Param-${property['x-mcp-header']}`] = encoded(value);
    }
  }
  return headers;
}

async function single(method, params = {}, version = modernVersion) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'scenario-client', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities
  };
  const id = ++lastId;
  const named = params.name ?? params.uri;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...basics,
      'MCP-Protocol-Version': version,
      'Mcp-Method': method,
      ...(named !== undefined && { 'Mcp-Name': encoded(named) }),
      ...(method === 'tools/call' && parameterHeaders(params))
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { _meta: meta, ...params } })
  });
  let answer;
  if (isStream(response)) {
    for await (const { message } of events(response.body)) {
      answer = message?.id === id ? message : answer;
    }
  } else {
    const text = await response.text();
    answer = text ? JSON.parse(text) : undefined;
  }
  if (answer?.error?.code === -32022 && version === modernVersion) {
    return single(method, params, answer.error.data.supported[0]);
  }
  if (answer?.error) {
    console.error(method, JSON.stringify(answer.error));
  }
  return answer?.result;
}

/** A tool with a mark where none may stand is not to be called over HTTP. A gateway refuses; alone, the client has to. */
function isUsable(tool) {
  const names = new Set();
  const walk = (schema, below) =>
    Object.entries(schema ?? {}).every(([key, value]) => {
      if (key === 'x-mcp-header') {
        const ok =
          below &&
          typeof value === 'string' &&
          /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(value) &&
          ['string', 'integer', 'boolean'].includes(schema.type) &&
          !names.has(value.toLowerCase());
        names.add(String(value).toLowerCase());
        return ok;
      }
      if (key === 'properties') {
        return Object.values(value).every(property => walk(property, below !== null));
      }
      return typeof value !== 'object' || walk(value, null);
    });
  return walk(tool.inputSchema, false);
}

async function callInRounds(call) {
  let result = await single('tools/call', call);
  for (let round = 0; round < 5 && result?.resultType === 'input_required'; round++) {
    const inputResponses = Object.fromEntries(
      Object.entries(result.inputRequests ?? {}).map(([key, request]) => [key, answerTo(request)])
    );
    const state = result.requestState === undefined ? {} : { requestState: result.requestState };
    result = await single('tools/call', { ...call, inputResponses, ...state });
  }
}

async function modern() {
  await single('server/discover');
  const tools = (await single('tools/list'))?.tools ?? [];
  for (const tool of tools) {
    marked[tool.name] = tool.inputSchema;
  }
  for (const call of calls(direct ? tools.filter(isUsable) : tools)) {
    await callInRounds(call);
  }
  for (const resource of (await single('resources/list'))?.resources ?? []) {
    await single('resources/read', { uri: resource.uri });
  }
  for (const prompt of (await single('prompts/list'))?.prompts ?? []) {
    await single('prompts/get', { name: prompt.name, arguments: {} });
  }
}

// 2025-11-25

let session;
const sessionHeaders = () => ({
  ...basics,
  ...(session && { 'mcp-session-id': session }),
  'mcp-protocol-version': '2025-11-25'
});

async function post(message) {
  const headers = message.method === 'initialize' ? basics : sessionHeaders();
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  session = response.headers.get('mcp-session-id') ?? session;
  return response;
}

async function inSession(method, params) {
  const id = ++lastId;
  let response = await post({ id, method, params });
  if (!isStream(response)) {
    const answer = JSON.parse((await response.text()) || '{}');
    if (answer.error) {
      console.error(method, JSON.stringify(answer.error));
    }
    return answer.result;
  }
  let last;
  let retry = 500;
  for (;;) {
    for await (const event of events(response.body)) {
      last = event.id ?? last;
      retry = Number(event.retry ?? retry);
      const { message } = event;
      if (message?.method && message.id !== undefined) {
        await post({ id: message.id, result: answerTo(message) });
      } else if (message?.id === id) {
        return message.result;
      }
    }
    if (last === undefined) {
      return undefined;
    }
    await new Promise(resolve => setTimeout(resolve, retry));
    response = await fetch(url, {
      headers: { ...sessionHeaders(), accept: 'text/event-stream', 'last-event-id': last }
    });
  }
}

/** The stream of what the server says on its own account; a server may have none. */
async function listen(signal) {
  try {
    const response = await fetch(url, { headers: { ...sessionHeaders(), accept: 'text/event-stream' }, signal });
    for await (const { message } of isStream(response) ? events(response.body) : []) {
      if (message?.method && message.id !== undefined) {
        await post({ id: message.id, result: answerTo(message) });
      }
    }
  } catch (e) {
    if (!signal.aborted) {
      console.error('listen', e.message);
    }
  }
}

async function legacy() {
  const clientInfo = { name: 'scenario-client', version: '1' };
  await inSession('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
  await post({ method: 'notifications/initialized' });
  const end = new AbortController();
  const listening = scenario === 'sse-retry' ? undefined : listen(end.signal);
  for (const call of calls((await inSession('tools/list', {}))?.tools ?? [])) {
    await inSession('tools/call', call);
  }
  end.abort();
  await listening;
  if (session) {
    await fetch(url, { method: 'DELETE', headers: sessionHeaders() }).catch(() => {});
  }
}

/** What the scenario wants to see called. */
function calls(tools) {
  if (context.toolCalls) {
    return context.toolCalls;
  }
  const found = name => tools.find(tool => tool.name === name);
  if (found('json_schema_echo')) {
    const focal = tools.find(tool => tool.name !== 'json_schema_echo');
    return [{ name: 'json_schema_echo', arguments: { schema: focal.inputSchema } }];
  }
  return tools.map(tool => ({
    name: tool.name,
    arguments: tool.name === 'add_numbers' ? { a: 5, b: 3 } : direct ? {} : filledIn(tool.inputSchema)
  }));
}

await (modernEra ? modern() : legacy());
if (!direct) {
  await fetch(via, { method: 'DELETE', body: server });
}
