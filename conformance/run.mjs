// Runs the scored scenarios of the official conformance suite against server.mjs, directly and
// through Callbound, and the suite's client scenarios with Callbound as the client; prints one
// table per revision.
//
//   ./run [--only SUBSTRING] [--direct] [--revision REV] [--why]
//
// Ends with 1 if a scenario that passes directly does not pass through Callbound, or did not run.
// The other columns are for information, and say how well Callbound translates: `to 2025` and `to
// 2026` are through Callbound to a server that speaks only that generation of the protocol, `from
// 2025` and `from 2026` from a client that does. --why says of these too why a scenario did not
// pass.

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startGateway, startServer } from './gateway.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const suite = join(here, 'node_modules/@modelcontextprotocol/conformance');
const results = join(here, 'target');
const REVISIONS = ['2025-11-25', '2026-07-28'];
const RUN_MILLIS = 120_000;
/** Which generations the server behind each column speaks. */
const ERAS = { direct: 'both', through: 'both', 'to 2025': '2025', 'to 2026': '2026' };
const AT_ONCE = 2; // Client scenarios, each with a gateway of its own.

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    direct: { type: 'boolean', default: false },
    why: { type: 'boolean', default: false },
    revision: { type: 'string', multiple: true, default: REVISIONS },
  },
});

/**
 * The scenarios that the suite's own list for a revision has, less those of parts Callbound does
 * not have.
 */
function scenarios(revision) {
  const lists = { server: [], client: [] };
  let section;
  let unscored;
  for (const line of readFileSync(join(suite, 'requirements', `${revision}.yaml`), 'utf8').split(
    '\n',
  )) {
    const [, header] = line.match(/^(\w+):/) ?? [];
    if (header) section = header;
    const [, name] = line.match(/^ {2}- ([\w/.-]+)$/) ?? [];
    if (name && lists[section]) lists[section].push({ name, scored: true });
    const [, extra] = line.match(/^ {2}- scenario: (\S+)/) ?? [];
    if (extra) unscored = extra;
    const [, leg] = line.match(/^ {4}leg: (\w+)/) ?? [];
    if (leg === 'server') lists.server.push({ name: unscored, scored: false });
  }
  const wanted = ({ name }) => name.includes(options.only) && !/^(auth\/|tasks-)/.test(name);
  return { server: lists.server.filter(wanted), client: lists.client.filter(wanted) };
}

function conformance(args) {
  const node = process.execPath;
  return new Promise((resolve) => {
    execFile(
      node,
      [join(suite, 'dist/index.js'), ...args],
      { timeout: RUN_MILLIS, maxBuffer: 64 << 20, cwd: here },
      (error, stdout, stderr) =>
        resolve({ code: error ? (error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });
}

/** The checks that one scenario left in a folder of results, or undefined if it left none. */
function checksOf(folder, scenario) {
  const pattern = new RegExp(`^(server-)?${scenario.replaceAll('/', '-')}-\\d{4}-\\d\\d-\\d\\dT`);
  try {
    const [found] = readdirSync(folder).filter((name) => pattern.test(name));
    return found && JSON.parse(readFileSync(join(folder, found, 'checks.json'), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * What a scenario came to: its counts, and the ids of the checks that did not succeed. A check that warns
 * counts as not passed: it is a SHOULD that the server keeps when it is reached directly.
 */
function verdict(checks, code = 0) {
  if (!checks) return { ran: false, passed: false, cell: 'did not run', bad: ['did not run'] };
  const count = (...statuses) => checks.filter(({ status }) => statuses.includes(status)).length;
  const good = count('SUCCESS');
  const bad = checks.filter(({ status }) => ['FAILURE', 'WARNING'].includes(status));
  const passed = bad.length === 0 && good > 0 && code === 0;
  return {
    ran: checks.length > 0,
    passed,
    cell: `${passed ? 'pass' : 'FAIL'} ${good}/${good + bad.length}`,
    bad:
      bad.length > 0 || passed
        ? bad.map(({ id, errorMessage }) => `${id}: ${errorMessage ?? ''}`.slice(0, 300))
        : [`the suite ended with ${code}: see target/`],
  };
}

async function serverColumn(revision, column, url) {
  const folder = join(results, revision, `server-${column.replace(' ', '-')}`);
  const listed = scenarios(revision).server;
  if (options.only) {
    for (const { name } of listed) {
      await conformance([
        'server',
        '--url',
        url,
        '--scenario',
        name,
        '--spec-version',
        revision,
        '-o',
        folder,
      ]);
    }
  } else {
    await conformance(['server', '--url', url, '--requirements', revision, '-o', folder]);
  }
  return new Map(listed.map(({ name }) => [name, verdict(checksOf(folder, name))]));
}

async function serverColumns(revision) {
  const columns = {};
  for (const [column, era] of Object.entries(ERAS)) {
    if (options.direct && column !== 'direct') continue;
    const server = await startServer([process.execPath, join(here, 'server.mjs'), '--era', era]);
    try {
      const gateway =
        column === 'direct' ? undefined : await startGateway({ type: 'http', url: server.url });
      try {
        columns[column] = await serverColumn(revision, column, gateway?.url ?? server.url);
      } finally {
        await gateway?.stop();
      }
    } finally {
      await server.stop();
    }
  }
  return columns;
}

async function clientColumns(revision) {
  const crossed = revision < '2026-07-28' ? 'from 2026' : 'from 2025';
  const ways = options.direct
    ? { direct: 'direct' }
    : { direct: 'direct', through: 'through', [crossed]: 'crossed' };
  const columns = Object.fromEntries(Object.keys(ways).map((column) => [column, new Map()]));
  const work = scenarios(revision).client.flatMap(({ name }) =>
    Object.entries(ways).map(([column, way]) => async () => {
      const folder = join(results, revision, `client-${column.replace(' ', '-')}`);
      const command = [process.execPath, join(here, 'client.mjs'), way].join(' ');
      const { code } = await conformance([
        'client',
        '--command',
        command,
        '--scenario',
        name,
        '--spec-version',
        revision,
        '-o',
        folder,
      ]);
      columns[column].set(name, verdict(checksOf(folder, name), code));
    }),
  );
  const next = work[Symbol.iterator]();
  const worker = async () => {
    for (const task of next) await task();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return columns;
}

/** Prints the table of one leg, and returns the scenarios that are worse through than direct. */
function report(title, listed, columns) {
  const names = Object.keys(columns);
  const width = Math.max(...listed.map(({ name }) => name.length)) + 2;
  console.log(`\n${title}\n`);
  console.log(['scenario'.padEnd(width), ...names.map((name) => name.padEnd(14))].join(''));
  const lost = [];
  const why = [];
  for (const { name, scored } of listed) {
    const cells = names.map((column) => columns[column].get(name));
    const [direct, through] = cells;
    console.log(
      `${(scored ? name : `${name} *`).padEnd(width)}${cells.map(({ cell }) => cell.padEnd(14)).join('')}`,
    );
    if (!direct.ran) lost.push(`${name} (did not run)`);
    else if (through && (!through.ran || (direct.passed && !through.passed))) lost.push(name);
    cells.forEach(({ bad }, at) => {
      if (at < 2 || options.why) bad.forEach((line) => why.push(`${name} (${names[at]}): ${line}`));
    });
  }
  const passed = (column) => listed.filter(({ name }) => columns[column].get(name).passed).length;
  console.log(
    `${'passed'.padEnd(width)}${names.map((name) => `${passed(name)}/${listed.length}`.padEnd(14)).join('')}`,
  );
  if (why.length > 0) console.log(`\n${why.map((line) => `  ${line}`).join('\n')}`);
  return lost;
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const lost = [];
for (const revision of options.revision) {
  const listed = scenarios(revision);
  if (listed.server.length > 0) {
    const columns = await serverColumns(revision);
    lost.push(...report(`${revision}, server scenarios`, listed.server, columns));
  }
  if (listed.client.length > 0) {
    const columns = await clientColumns(revision);
    lost.push(...report(`${revision}, client scenarios`, listed.client, columns));
  }
}
console.log('\n* not scored for this revision');
if (lost.length > 0) console.log(`\nLost on the way through: ${lost.join(', ')}`);
process.exitCode = lost.length > 0 ? 1 : 0;
