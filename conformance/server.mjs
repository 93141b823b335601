// The server that the conformance scenarios are run against, directly and through Callbound.
//
// It offers the tools, prompts and resources that the scenarios of
// @modelcontextprotocol/conformance ask for by name, on the official TypeScript server SDK, to
// clients of both generations of the protocol: up to 2025-11-25 with sessions, from 2026-07-28 on
// without.
//
//   node server.mjs [--era both|2025|2026] [--port N]
//
// Prints one line with its URL when it is ready.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import {
  NodeStreamableHTTPServerTransport,
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node';
import { newServer } from './features.mjs';

const { values: options } = parseArgs({
  options: {
    era: { type: 'string', default: 'both' },
    port: { type: 'string', default: '0' },
  },
});
if (!['both', '2025', '2026'].includes(options.era)) {
  console.error(`--era must be both, 2025 or 2026: ${options.era}`);
  process.exit(2);
}

/** Open 2025 sessions, by id. */
const sessions = new Map();

/** Tells every connected client of either generation that a list has changed. */
function announce(list) {
  if (list === 'tools') {
    modern.notify.toolsChanged();
    sessions.forEach(({ server }) => server.sendToolListChanged());
  } else {
    modern.notify.promptsChanged();
    sessions.forEach(({ server }) => server.sendPromptListChanged());
  }
}

const modern = createMcpHandler(() => newServer(announce), { legacy: 'reject' });
const serveModern = toNodeHandler(modern);

/**
 * Serves a request of 2025-11-25 or older: the session's transport, or a new one for an
 * initialize.
 */
async function serveLegacy(request, response, body) {
  const id = request.headers['mcp-session-id'];
  const known = id === undefined ? undefined : sessions.get(id);
  if (known) return known.transport.handleRequest(request, response, body);
  if (id !== undefined) return refuse(response, 404, 'Session not found');
  if (body?.method !== 'initialize') return refuse(response, 400, 'No session: initialize first');

  const server = newServer(announce);
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (created) => void sessions.set(created, { server, transport }),
    onsessionclosed: (closed) => void sessions.delete(closed),
  });
  await server.connect(transport);
  return transport.handleRequest(request, response, body);
}

function refuse(response, status, message) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message } }));
}

async function read(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

const hostAllowed = localhostHostValidation();
const originAllowed = localhostOriginValidation();

const http = createServer(async (request, response) => {
  if (!hostAllowed(request, response) || !originAllowed(request, response)) return;
  try {
    const body = request.method === 'POST' ? await read(request) : undefined;
    // GET and DELETE exist up to 2025-11-25 only.
    const legacy =
      request.method !== 'POST' || (await isLegacyRequest(await toWebRequest(request, body), body));
    // A server of one generation answers the other's requests as it would: with its own refusal.
    const serve = {
      both: legacy ? serveLegacy : serveModern,
      2025: serveLegacy,
      2026: serveModern,
    };
    await serve[options.era](request, response, body);
  } catch (error) {
    console.error(error);
    if (!response.headersSent) refuse(response, 500, 'Internal error');
  }
});
http.listen(Number(options.port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${http.address().port}/mcp`);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0));
