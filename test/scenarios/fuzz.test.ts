// Every operation with bodies, queries, ids and bytes that no client would send: the response is a refusal in the
// standard error format, never an internal error. FUZZ_RUNS makes it longer and draws a new seed each time; fast-check
// prints the seed of a failure, and FUZZ_SEED repeats it.
import assert from 'node:assert/strict'
import { STATUS_CODES } from 'node:http'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Answer } from '../answers.ts'
import { type Client, testApp, usesPostgres } from '../app.ts'
import { bodyFor, brokenBytes, type KnownIds, pathPart, queryFor, realNumber } from '../arbitraries.ts'
import { isStream, type Operation, operationsOf } from '../operations.ts'
import { kindsOf, makeRecords, type Records, rowsOf } from '../records.ts'

const { FUZZ_RUNS, FUZZ_SEED } = process.env
/** Request validation does not depend on the database, so PostgreSQL gets only part of the cases. */
const runs = Number(FUZZ_RUNS ?? (usesPostgres ? 50 : 120))
const seed = FUZZ_SEED ? Number(FUZZ_SEED) : FUZZ_RUNS ? undefined : 20_240_607
const settings = { numRuns: runs, ...(seed === undefined ? {} : { seed }) }

const started = await testApp()
/** These operations call a vendor's server, which a test must not; features/providers tests them. */
const asksVendor = /^\/api\/providers\/(.+\/)?(test|models|voices|local)$/
/** A key stops working when its maker leaves. */
const endsItsKey = /\/leave$/
const isRead = ({ method }: Operation) => method === 'GET'
/** Reads come first: one set of records serves them all before other operations add to it. */
const operations = operationsOf(started.app)
  .filter((operation) => !isStream(operation) && !asksVendor.test(operation.path) && !endsItsKey.test(operation.path))
  .sort((a, b) => Number(isRead(b)) - Number(isRead(a)))
/** These tests have no TTS, no phone, and no remote device service. */
const absent = /\/api\/tts\/|\/doctor\b|\/api\/gateway\/devices/
/** The agent's model is at an address from a fuzzed account. */
const asksModel = /\/message\/send\//

/** Records of the set are never in the required state: a conflict is as far as these operations get. */
const conflicting = new Set([
  'DELETE /api/conversations/{id}',
  'POST /api/conversations/{id}/analyse',
  'POST /api/tools/{id}/test',
  'POST /api/calls/{id}/hangup',
  'POST /api/calls/{id}/say',
  'POST /api/calls/{id}/transfer',
  'POST /api/campaigns/{id}/start',
  'POST /api/campaigns/{id}/pause',
  'POST /api/campaigns/{id}/resume',
  'POST /api/rehearsal-scripts/from-call',
  'POST /api/users/{id}/remove-second-factor',
  ...(usesPostgres ? ['PATCH /api/settings/addresses'] : []),
])
const speaks = /\/api\/tts\/|\/doctor$/
/** Random input hits a complete script only once in 120 cases. */
const rarelyMet = new Set(usesPostgres ? ['POST /api/rehearsals'] : [])
/** It is known how far the gate's cases and the very many of the nightly run get, but not those of another seed. */
const knowsReach = FUZZ_RUNS === undefined ? FUZZ_SEED === undefined : runs >= 1000

function assertReach(operation: Operation, counts: ReadonlyMap<number, number>): void {
  const { title, path, body } = operation
  const isThere = (status: number) =>
    conflicting.has(title) ? status === 409 : speaks.test(path) ? status === 503 : status < 300
  const what = `${title} got ${JSON.stringify(Object.fromEntries(counts))}`
  if (!rarelyMet.has(title)) assert.ok([...counts.keys()].some(isThere), `no request was accepted: ${what}`)
  if (body) assert.ok(counts.has(400), `no request was refused: ${what}`)
}

/** The client has already validated the response against the document; these are the additional checks. */
function assertSound(operation: Operation, answer: Answer): void {
  const { status, json, text } = answer
  const what = `${operation.title} answered ${status}: ${text.slice(0, 500)}`
  const isMissingEngine = status === 503 && absent.test(operation.path)
  const isMissingModel = status === 502 && asksModel.test(operation.path)
  assert.ok(status < 500 || isMissingEngine || isMissingModel, what)
  if (status < 400) return
  assert.deepEqual(Object.keys(json ?? {}).sort(), ['error', 'message', 'statusCode'], what)
  assert.equal(json.statusCode, status, what)
  assert.equal(json.error, STATUS_CODES[status], what)
  assert.ok(json.message.length < 20_000, what)
}

const idsFor = (records: Records): KnownIds => ({
  agentId: records.agent,
  conversationId: records.conversation,
  trunkId: records.trunk,
  deviceId: records.deviceId,
  callId: records.call,
  with: records.rehearsal,
  contactId: records.contact,
  listId: records.suppressionList,
  spreadsheetId: records.spreadsheet,
  rulesId: 'br-strict',
  number: '+5511999990000', // the number of a person to forget
})

function urlFor(operation: Operation, records: Records) {
  const parts = kindsOf(operation).map(([name, kind]) => [name, pathPart(records[kind])] as const)
  return fc
    .tuple(fc.record(Object.fromEntries(parts)), queryFor(operation.query, idsFor(records)))
    .map(([values, query]) => operation.path.replaceAll(/\{([^}]+)\}/g, (_, name) => values[name] ?? '') + query)
}

const headers = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  fc.constantFrom('a', 'b', 'x'.repeat(256), 'é').map((key) => ({ 'idempotency-key': key })),
  fc
    .constantFrom('application/json; charset=latin1', 'text/plain', 'application/x-www-form-urlencoded', 'nonsense', '')
    .map((type) => ({ 'content-type': type })),
  fc.constant({ 'content-encoding': 'gzip' }),
  fc.constantFrom('bytes=0-1', 'bytes=9-', 'bytes=-0', 'bytes=a').map((range) => ({ range })),
)

/** Each file is read in a process of its own, which takes time to start. */
const FILE_COSTS = 8
const fileBytes = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(fc.array(fc.string({ maxLength: 8 }), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 })
    .map((rows) => Buffer.from(rows.map((row) => row.join(';')).join('\n'))),
  fc
    .array(realNumber, { minLength: 1, maxLength: 3 })
    .map((numbers) => Buffer.from(['telefone', ...numbers].join('\n'))),
)

type Owned = { user: Client; records: Records; rows: string }
let owned: Owned | undefined

/**
 * A user with a record of every kind: the records of the previous operation, unless it changed them. The key is new, so
 * that a response stored under an idempotency key is never replayed to another operation.
 */
async function ownedRecords(): Promise<Owned & { client: Client }> {
  if (owned && (await rowsOf(started.database, owned.records)) !== owned.rows) owned = undefined
  if (!owned) {
    const user = await started.newUser('fuzz', 'admin')
    const records = await makeRecords(started, user)
    owned = { user, records, rows: await rowsOf(started.database, records) }
  }
  return { ...owned, client: await owned.user.withKey({}) }
}

for (const operation of operations) {
  test(`5 ${operation.title} accepts or refuses arbitrary input`, async () => {
    const { client, records } = await ownedRecords()
    const type = operation.mediaTypes[0] ?? 'application/json'
    const isFile = !operation.body && operation.mediaTypes.length > 0
    const body = operation.body ? bodyFor(operation.body, idsFor(records)) : isFile ? fileBytes : fc.constant(undefined)
    const counts = new Map<number, number>()
    const property = fc.asyncProperty(urlFor(operation, records), body, headers, async (url, payload, extra) => {
      const answer = await client.send({
        method: operation.method,
        url,
        headers: { ...(payload === undefined ? {} : { 'content-type': type }), ...extra },
        ...(payload === undefined ? {} : { payload }),
      })
      assertSound(operation, answer)
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
    })
    await fc.assert(property, isFile ? { ...settings, numRuns: Math.ceil(runs / FILE_COSTS) } : settings)
    if (operation.method === 'DELETE') owned = undefined // it may have deleted something without an id
    if (knowsReach) assertReach(operation, counts)
  })
}

test('15, 17 every operation with a body refuses bytes that are not JSON', async () => {
  const user = await started.newUser('fuzz', 'admin')
  const records = await makeRecords(started, user)
  for (const operation of operations.filter(({ method }) => method !== 'GET')) {
    const url = urlFor({ ...operation, query: [] }, records)
    const property = fc.asyncProperty(url, brokenBytes(operation.body, idsFor(records)), async (at, payload) => {
      const answer = await user.send({
        method: operation.method,
        url: at.split('?', 1)[0] as string,
        headers: { 'content-type': 'application/json' },
        payload,
      })
      assertSound(operation, answer)
      // Another organization is refused before the body is read.
      if (isJson(payload) || answer.headers['x-error-code']?.toString().startsWith('not_found;what="organization"'))
        return
      assert.equal(answer.status, 400, `${operation.title} took ${payload.toString('latin1')}: ${answer.text}`)
    })
    await fc.assert(property, { ...settings, numRuns: Math.ceil(runs / 2) })
  }
})

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
    return true
  } catch {
    return false
  }
}

test('no fuzzed request was logged as an internal error', () => {
  assert.ok(started.logs().includes('answered'))
  const failures = started
    .logs()
    .split('\n')
    .filter((line) => line.includes('"request failed"') && !absent.test(line))
    .filter((line) => !(asksModel.test(line) && line.includes('"kind":"unreachable"')))
  assert.deepEqual(failures.slice(0, 5), [])
})
