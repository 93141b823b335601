// Runs every client against every server, directly and through Callbound, and prints what came of
// it.
//
//   clients/run [--only SUBSTRING] [--direct]
//
// Ends with 1 if a session that completes directly, or that has no direct way because the client
// and the server speak different generations of the protocol, does not complete through Callbound.

import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startGateway } from '../gateway.mjs';
import { freePort, startEverything } from './servers.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, '..', 'node_modules');
const SESSION_MILLIS = 60_000;

const { values: options } = parseArgs({
  options: { only: { type: 'string', default: '' }, direct: { type: 'boolean', default: false } },
});

const typescript = [process.execPath, join(here, 'typescript.mjs')];
const java = [
  'java',
  '-cp',
  `${join(here, 'java/target/classes')}:${join(here, 'java/target/lib/*')}`,
  'dev.callbound.conformance.Session',
];
const clients = [
  { name: 'TypeScript SDK 1, 2025-11-25', command: [...typescript, 'v1'] },
  { name: 'TypeScript SDK 2, 2025-11-25', command: [...typescript, 'v2'] },
  { name: 'TypeScript SDK 2, 2026-07-28', command: [...typescript, 'v2-2026'], modern: true },
  { name: 'Java SDK 2, 2025-11-25', command: [...java, 'java'] },
  { name: 'Java SDK 2, 2026-07-28', command: [...java, 'java-2026'], modern: true },
];
const servers = [
  { name: 'everything, stdio', kind: 'everything', command: serverCommand('everything', 'stdio') },
  { name: 'everything, HTTP', kind: 'everything' },
  { name: 'filesystem, stdio', kind: 'filesystem' },
];

function serverCommand(name, ...args) {
  return [
    process.execPath,
    join(modules, '@modelcontextprotocol', `server-${name}`, 'dist/index.js'),
    ...args,
  ];
}

function session(client, kind, target, folder) {
  const [program, ...args] = [...client.command, kind, target, folder];
  return new Promise((resolve) => {
    execFile(program, args, { timeout: SESSION_MILLIS }, (error, stdout, stderr) => {
      const steps = stdout.split('\n').filter((line) => line.startsWith('ok ')).length;
      const why = error && `${stderr || error.message}`.trim().split('\n').slice(0, 12).join('\n');
      resolve({ passed: !error, cell: error ? `FAIL after ${steps}` : `${steps} steps`, why });
    });
  });
}

/** Runs one session on each way, with the server started anew for it. */
async function row(client, server) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'callbound-client-')));
  const overHttp = server.name.endsWith('HTTP') && (await startEverything(await freePort()));
  const command = server.command ?? serverCommand('filesystem', folder);
  try {
    const direct = client.modern
      ? { cell: '-' } // Both servers speak 2025-11-25 only.
      : await session(client, server.kind, overHttp ? overHttp.url : command.join(' '), folder);
    if (options.direct) return { direct };
    const [program, ...args] = command;
    const upstream = overHttp ? { type: 'http', url: overHttp.url } : { command: program, args };
    const gateway = await startGateway(upstream, server.kind);
    try {
      return { direct, through: await session(client, server.kind, gateway.url, folder) };
    } finally {
      await gateway.stop();
    }
  } finally {
    if (overHttp) await overHttp.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const print = (...cells) => console.log(cells.map((cell) => cell.padEnd(30)).join(''));
let lost = 0;
print('client', 'server', 'direct', 'through');
for (const client of clients) {
  for (const server of servers) {
    if (!`${client.name} ${server.name}`.includes(options.only)) continue;
    const { direct, through } = await row(client, server);
    print(client.name, server.name, direct.cell, through?.cell ?? '');
    for (const each of [direct, through]) if (each?.why) console.log(each.why);
    if (direct.passed === false || through?.passed === false) lost++;
  }
}
process.exitCode = lost > 0 ? 1 : 0;
