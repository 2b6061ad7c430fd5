// An OpenID Connect provider of the certified library, on a free port of this machine, with a login form and listed accounts.
//   node openid-provider.mjs
// Prints {"issuer": …} as one line of JSON. Each line of JSON it is sent, {"clients": […], "accounts": {NAME: {"password", "claims"}}},
// has it serve these from then on, with a new signing key; it answers {"serving": true}. It ends when its input does.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import Provider from 'oidc-provider';

let handler = (request, response) => response.writeHead(503).end();
const server = createServer((request, response) => handler(request, response));
await new Promise((done) => server.listen(0, '127.0.0.1', done));
// Not the portal's host name, so that to browsers it is another site, as providers are.
const issuer = `http://localhost:${server.address().port}`;

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };
}

function provider(clients, accounts) {
  return new Provider(issuer, {
    clients,
    jwks: { keys: [newKey()] },
    cookies: { keys: [randomUUID()] },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (context, interaction) => `/login/${interaction.uid}` },
    findAccount: (context, name) =>
      name in accounts
        ? { accountId: name, claims: () => ({ sub: name, ...accounts[name].claims }) }
        : undefined,
    async loadExistingGrant(context) {
      const { client, session, provider: self } = context.oidc;
      const grant = new self.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 300, Interaction: 600, Session: 600 }
  });
}

async function body(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return new URLSearchParams(text);
}

function form(response, said) {
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><html lang="en"><title>Team ID</title><h1>Team ID</h1><p role="alert">${said}</p>
<form method="post"><label>Account <input name="account" autocomplete="username"></label>
<label>Password <input name="password" type="password"></label><button>Log in</button></form>
<form method="post"><input type="hidden" name="cancel" value="yes"><button>Cancel</button></form></html>`);
}

async function login(serving, accounts, request, response) {
  await serving.interactionDetails(request, response);
  if (request.method === 'GET') return form(response, '');
  const fields = await body(request);
  if (fields.has('cancel')) {
    const result = { error: 'access_denied', error_description: 'cancelled' };
    return serving.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
  const name = fields.get('account');
  if (!(name in accounts) || accounts[name].password !== fields.get('password')) {
    return form(response, 'That did not match.');
  }
  return serving.interactionFinished(request, response, { login: { accountId: name } }, { mergeWithLastSubmission: false });
}

function serve({ clients, accounts }) {
  const serving = provider(clients, accounts);
  const rest = serving.callback();
  handler = (request, response) => {
    if (!request.url.startsWith('/login/')) return rest(request, response);
    login(serving, accounts, request, response).catch((error) => {
      console.error(error);
      if (!response.headersSent) response.writeHead(400).end('This login is over.');
    });
  };
}

console.log(JSON.stringify({ issuer }));
for await (const line of createInterface({ input: process.stdin })) {
  serve(JSON.parse(line));
  console.log(JSON.stringify({ serving: true }));
}
server.closeAllConnections();
server.close();
