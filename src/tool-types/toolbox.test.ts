// The toolbox on a real database, with a tool type whose side effects the test counts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent, testApp } from '../../test/app.ts'
import { until } from '../../test/until.ts'
import { toolCallStore } from '../features/conversations/tool-call-store.ts'
import type { ToolInvocation } from '../voice/ports.ts'
import { DOUBT } from './idempotent-run.ts'
import type { Outcome, Run, ToolFunction, ToolRecord } from './ports.ts'
import { recentDurations } from './recent-durations.ts'
import type { ToolRunStore } from './tool-run-store.ts'
import { capsOf, MAX_EFFECTS, MAX_RUNS, type RunIdentity, type ToolboxContext, toolbox } from './toolbox.ts'

type Acts = (run: Run, signal: AbortSignal) => Promise<Outcome>
const done: Acts = async ({ args }) => ({ ok: true, text: `done ${JSON.stringify(args)}` })

const context: ToolInvocation = { act: async () => ({ status: 'done' }), history: [] }
const never = new AbortController().signal
let ids = 0

async function desk(acts: Acts = done, offer: Partial<ToolFunction> = {}, asking: RunIdentity = { call: '0' }) {
  const { ana, bia, database } = await testApp()
  const { json: agent } = await ana.post('/api/agents', anAgent)
  const { json: conversation } = await ana.post('/api/conversations/start', { agentId: agent.id })
  const runs: Run[] = []
  const problems: string[] = []
  const troubles: unknown[] = []
  const record = (fields: Partial<ToolRecord> = {}): ToolRecord => ({
    id: 'tol_1',
    userId: ana.userId,
    name: 'Marcar horário',
    description: 'Books a slot',
    type: 'custom',
    method: null,
    requestUrl: null,
    parameters: null,
    headers: { 'x-key': 'planted-key' },
    authorization: null,
    body: null,
    messages: null,
    config: {},
    ...fields,
  })
  const listings = new Map<string, PromiseWithResolvers<void>>()
  const listed = new Set<string>()
  const kinds = {
    custom: {
      functions: (tool: ToolRecord): ToolFunction[] => [
        {
          name: tool.name,
          description: tool.description ?? '',
          parameters: { type: 'object', properties: { day: { type: 'integer' } }, required: ['day'] },
          hasEffect: true,
          isRepeatable: false,
          timeoutMs: 5000,
          run(run, signal) {
            runs.push(run)
            return acts(run, signal)
          },
          ...offer,
        },
      ],
    },
    broken: { functions: () => [], problem: () => 'no url' },
    /** Its functions become known when the server has listed them. */
    server: {
      ready: (tool: ToolRecord) => listings.get(tool.id)?.promise ?? Promise.resolve(),
      functions: (tool: ToolRecord) => (listed.has(tool.id) ? kinds.custom.functions(tool) : []),
    },
    dtmf: {
      functions: () => [
        {
          name: 'keys',
          description: '',
          parameters: {},
          hasEffect: true,
          isRepeatable: false,
          timeoutMs: 1,
          run: async () => ({ ok: true as const, text: '' }),
        },
      ],
    },
  }
  const store = toolCallStore(database.db)
  const setting: ToolboxContext = {
    userId: ana.userId,
    agent: { id: agent.id, name: 'Ana' },
    conversationId: conversation.id,
    language: 'pt-BR',
    timeZone: 'America/Sao_Paulo',
    call: null,
    variables: { given: '1' },
    caps: capsOf({}),
    summarize: async () => 'a summary',
  }
  const box = (records: ToolRecord[] = [record()], book: ToolRunStore = store, as: RunIdentity = asking) =>
    toolbox(
      {
        types: kinds,
        store: book,
        times: recentDurations(),
        chance: () => 0,
        onProblem: (tool, problem) => problems.push(`${tool.type}: ${problem}`),
        onTrouble: (error) => troubles.push(error),
        watch: (run) => void run,
      },
      records,
      setting,
      as,
    )
  const call = (args: unknown, id = `id-${++ids}`) => ({ id, name: 'Marcar_horario', args })
  const use = (args: unknown, id?: string, from = box()) => {
    const [tool] = from.tools
    assert.ok(tool)
    return tool.run(call(args, id), context, never)
  }
  const rows = async () => (await ana.get(`/api/conversations/${conversation.id}/tool-calls`)).json
  const age = () => database.db.updateTable('toolCalls').set({ leaseUntil: '2000-01-01T00:00:00.000Z' }).execute()
  /** A server that has not answered yet; the returned function makes it answer. */
  const server = (id: string, name: string) => {
    const listing = Promise.withResolvers<void>()
    listings.set(id, listing)
    const answer = (error?: Error) => {
      if (error) return listing.reject(error)
      listed.add(id)
      listing.resolve()
    }
    return { tool: record({ id, name, type: 'server' }), answer }
  }
  return {
    ana,
    bia,
    database,
    store,
    box,
    use,
    call,
    rows,
    runs,
    problems,
    troubles,
    record,
    age,
    conversation,
    server,
  }
}

test('a tool call is recorded before it runs, and the model gets its result', async () => {
  const seen: string[] = []
  const { use, rows, runs } = await desk(async (run) => {
    seen.push(...(await rows()).map((row: { status: string }) => row.status))
    return { ok: true, text: `booked ${run.args.day}` }
  })
  assert.deepEqual(await use({ day: '3' }), { text: 'booked 3', failed: false })
  assert.deepEqual(seen, ['running'])
  const [row] = await rows()
  assert.equal(row.id, runs[0]?.id, 'the key that was sent along is the id of the record')
  assert.deepEqual([row.status, row.result, row.error, row.arguments], ['done', 'booked 3', null, { day: 3 }])
  assert.ok(row.durationMs >= 0 && row.endedAt >= row.startedAt)
})

test('a repeated request runs once, whoever repeats it', async () => {
  const { use, runs, box } = await desk()
  const first = await use({ day: 1 }, 'same')
  assert.deepEqual(await use({ day: 1 }, 'same'), first)
  assert.deepEqual(await use({ day: 1 }, 'same', box()), first)
  assert.equal(runs.length, 1)
  await use({ day: 1 }, 'another')
  assert.equal(runs.length, 2, 'another asking is another call')
})

test('a request repeated while it is running runs once, and both get the result', async () => {
  const gate = Promise.withResolvers<void>()
  const { use, runs, box, rows } = await desk(async () => {
    await gate.promise
    return { ok: true, text: 'once' }
  })
  const both = [use({ day: 1 }, 'a'), use({ day: 1 }, 'b', box())]
  await until('it runs', () => runs.length === 1)
  gate.resolve()
  assert.deepEqual(await Promise.all(both), [
    { text: 'once', failed: false },
    { text: 'once', failed: false },
  ])
  assert.equal(runs.length, 1)
  assert.equal((await rows()).length, 1)
})

test('in text the message and the arguments identify a request', async () => {
  const { use, runs, box } = await desk(done, {}, { message: 'msg_1' })
  const before = box()
  await use({ day: 1 }, 'x', before)
  await use({ day: 1 }, 'y', before)
  assert.equal(runs.length, 2, 'asked for twice, done twice')
  const anew = box() // after a crash the same message is answered again, with new ids
  await use({ day: 1 }, 'p', anew)
  await use({ day: 1 }, 'q', anew)
  assert.equal(runs.length, 2)
  await use({ day: 1 }, 'r', box(undefined, undefined, { message: 'msg_2' }))
  assert.equal(runs.length, 3)
})

test('invalid arguments are refused and recorded, and nothing runs', async () => {
  const { use, rows, runs } = await desk()
  const { text, failed } = await use({ day: 'tomorrow' })
  assert.equal(failed, true)
  assert.match(text, /day must be integer/)
  assert.equal(runs.length, 0)
  const [row] = await until('the refusal is on record', async () => {
    const all = await rows()
    return all.length > 0 && all
  })
  assert.deepEqual([row.status, row.arguments, row.toolId], ['refused', { day: 'tomorrow' }, 'tol_1'])
})

test('nothing runs if the call cannot be recorded', async () => {
  const { use, runs, box, store, troubles, record } = await desk()
  const begin = async () => {
    throw new Error('disk full')
  }
  const { text, failed } = await use({ day: 1 }, 'x', box([record()], { ...store, begin }))
  assert.equal(failed, true)
  assert.match(text, /could not be recorded/)
  assert.equal(runs.length, 0)
  assert.match(String(troubles[0]), /disk full/)
})

test('if the outcome cannot be stored the model still gets the result, and the record becomes in_doubt', async () => {
  const { use, rows, box, store, record, age } = await desk()
  const finish = async () => {
    throw new Error('disk full')
  }
  const { text } = await use({ day: 1 }, 'x', box([record()], { ...store, finish }))
  assert.equal(text, 'done {"day":1}')
  await age()
  await store.closeLeft()
  assert.equal((await rows())[0].status, 'in_doubt')
})

test('an in-doubt call is not run again, and the model is told so', async () => {
  const { use, rows, runs, box } = await desk(async () => ({ ok: false, error: 'It timed out.', isDoubtful: true }))
  const first = await use({ day: 1 })
  assert.deepEqual(first, { text: `It timed out. ${DOUBT}`, failed: true })
  assert.deepEqual(await use({ day: 1 }), first, 'another asking for the same')
  assert.deepEqual(await use({ day: 1 }, 'later', box()), first)
  assert.equal(runs.length, 1)
  assert.deepEqual(
    (await rows()).map((row: { status: string; error: string }) => [row.status, row.error]),
    [['in_doubt', 'It timed out.']],
  )
  await use({ day: 2 })
  assert.equal(runs.length, 2, 'something else is not in doubt')
})

test('an in-doubt call that is repeatable is sent again under the same id', async () => {
  let tries = 0
  const { use, rows, runs } = await desk(
    async () =>
      ++tries === 1 ? { ok: false, error: 'It timed out.', isDoubtful: true } : { ok: true, text: 'booked' },
    { isRepeatable: true },
  )
  assert.equal((await use({ day: 1 })).failed, true)
  assert.deepEqual(await use({ day: 1 }), { text: 'booked', failed: false })
  assert.equal(runs[0]?.id, runs[1]?.id)
  assert.deepEqual(
    (await rows()).map((row: { status: string }) => row.status),
    ['done'],
  )
})

test('a call orphaned by a dead process is in doubt, or failed if it is read-only', async () => {
  for (const hasEffect of [true, false]) {
    const { use, rows, runs, store, age, box } = await desk(done, { hasEffect })
    // The process that ran this died before it could record the end.
    const lost = { ...store, finish: async () => {} }
    await use({ day: 1 }, 'x', box(undefined, lost))
    await store.closeLeft()
    assert.equal((await rows())[0].status, 'running', 'its lease has not run out')
    await age()
    await store.closeLeft()
    assert.equal((await rows())[0].status, hasEffect ? 'in_doubt' : 'failed')
    assert.match((await rows())[0].error, /stopped while this tool was running/)
    const again = await use({ day: 1 }, 'x', box())
    assert.equal(again.failed, true)
    assert.equal(runs.length, 1)
  }
})

test('runs and side effects are limited per conversation, and every refusal is recorded', async () => {
  const { use, rows, runs, box } = await desk()
  const one = box()
  for (let i = 0; i < MAX_EFFECTS + 3; i++) await use({ day: i }, undefined, one)
  assert.equal(runs.length, MAX_EFFECTS)
  const refused = await use({ day: 99 })
  assert.match(refused.text, /No more tools that change something/)
  const isRefused = (row: { status: string }) => row.status === 'refused'
  await until('every refusal is on record', async () => (await rows()).filter(isRefused).length === 4)

  const reading = await desk(done, { hasEffect: false })
  for (let i = 0; i < MAX_RUNS + 2; i++) await reading.use({ day: i })
  assert.equal(reading.runs.length, MAX_RUNS)
  assert.match((await reading.use({ day: 99 })).text, /No more tools may be used/)
})

test("only this user's usable tools are offered", async () => {
  const { box, record, problems } = await desk()
  const offered = box([
    record(),
    record({ id: 'tol_2', name: 'marcar horario' }),
    record({ id: 'tol_3', userId: 'usr_other', name: 'foreign' }),
    record({ id: 'tol_4', type: 'broken', name: 'broken' }),
    record({ id: 'tol_5', type: 'calendar', name: 'not there yet' }),
    record({ id: 'tol_6', type: 'dtmf', name: 'keys' }),
  ]).tools.map(({ name }) => name)
  assert.deepEqual(offered, ['Marcar_horario', 'marcar_horario_2'])
  assert.deepEqual(problems, ['broken: no url', 'calendar: tools of type calendar do not act yet'])
})

test('a call of an unknown tool is recorded', async () => {
  const { box, rows } = await desk()
  box().unknown({ id: '1', name: 'steal\u0000_all', args: { a: 1 } })
  const [row] = await until('on record', async () => ((await rows()).length > 0 ? await rows() : null))
  assert.deepEqual([row.name, row.toolId, row.status, row.arguments], ['steal_all', null, 'refused', { a: 1 }])
})

test('secrets echoed by a server reach neither the model nor the record nor a later tool', async () => {
  const echo: Acts = async () => ({ ok: true, text: 'you sent planted-key', variables: { token: 'planted-key' } })
  const { use, rows, box } = await desk(echo)
  const one = box()
  assert.deepEqual(await use({ day: 1 }, undefined, one), { text: 'you sent ********', failed: false })
  assert.deepEqual(one.variables(), { given: '1', token: '********' })
  const failing = await desk(async () => ({ ok: false, error: 'refused: planted-key' }))
  assert.equal((await failing.use({ day: 1 })).text, 'refused: ********')
  assert.doesNotMatch(JSON.stringify([await rows(), await failing.rows()]), /planted/)
})

test('response variables are available to the next tool, also from a stored result', async () => {
  const { use, runs, box } = await desk(async () => ({ ok: true, text: 'x', variables: { order: '42' } }))
  await use({ day: 1 }, 'x')
  const later = box()
  await use({ day: 1 }, 'x', later)
  await use({ day: 2 }, 'y', later)
  assert.equal(runs.length, 2)
  assert.deepEqual({ ...runs[1]?.context.variables }, { given: '1', order: '42' })
  assert.equal(await runs[1]?.context.summary(never), 'a summary')
})

test('a run that ignores its timeout is abandoned, in doubt if it has side effects', async () => {
  const { use, rows } = await desk(() => new Promise(() => {}), { timeoutMs: 50 })
  const { text, failed } = await use({ day: 1 })
  assert.equal(failed, true)
  assert.match(text, /took too long\. It is not known/)
  assert.equal((await rows())[0].status, 'in_doubt')
})

test('an internal error is reported without its reason', async () => {
  const { use, rows, troubles } = await desk(async () => {
    throw new Error('secret detail')
  })
  assert.match((await use({ day: 1 })).text, /^The tool failed on our side/)
  assert.equal((await rows())[0].status, 'in_doubt')
  assert.match(String(troubles[0]), /secret detail/)
})

test("each server's tools are offered when that server has listed them, and none waits for another", async () => {
  const { box, record, server } = await desk()
  const [slow, quick, broken] = [server('slow', 'agenda'), server('quick', 'stock'), server('broken', 'prices')]
  const one = box([slow.tool, record({ name: 'own' }), quick.tool, broken.tool])
  const names = () => one.tools.map(({ name }) => name)
  assert.deepEqual(names(), ['own'])
  quick.answer()
  await one.arrivals[1]
  assert.deepEqual(names(), ['own', 'stock'])
  broken.answer(new Error('gone'))
  await one.arrivals[2]
  slow.answer()
  await Promise.all(one.arrivals)
  assert.deepEqual(names(), ['own', 'stock', 'agenda'])
  assert.deepEqual(
    box([slow.tool, quick.tool]).tools.map(({ name }) => name),
    ['agenda', 'stock'],
    'known from earlier: at once',
  )
})

test('a function keeps its name when a server with an equal one answers later', async () => {
  const { box, server } = await desk()
  const [slow, quick] = [server('slow', 'office'), server('quick', 'office')]
  quick.answer()
  const one = box([slow.tool, quick.tool])
  const [before] = one.tools.map(({ name }) => name)
  slow.answer()
  await Promise.all(one.arrivals)
  assert.deepEqual(
    one.tools.map(({ name }) => name),
    [before, 'office_2'],
  )
})
