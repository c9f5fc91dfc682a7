// `ramal rehearse`: runs scripted callers, or the replay of a call, against agents, and prints the results.
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { validationError } from '../base/errors/validation-error.ts'
import { noMeter } from '../base/meter.ts'
import { guardedHttp } from '../base/outside/guarded-http.ts'
import { ownAddresses, ownListeners } from '../base/outside/own-listeners.ts'
import { diskIdOf } from '../base/process/disk-id.ts'
import { createLog } from '../base/process/log.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { Database } from '../db/database.ts'
import { sessionParts } from '../features/agents/session-parts.ts'
import { agentStore } from '../features/agents/store.ts'
import { callStore } from '../features/calls/store.ts'
import { callTurns } from '../features/calls/turn-store.ts'
import { providerService } from '../features/providers/service.ts'
import { recordingFiles } from '../features/recordings/recording-store.ts'
import { openObjectStore } from '../features/recordings/stored-recordings.ts'
import { simulationService } from '../features/rehearsals/rehearsal-runs.ts'
import { NewRehearsal, type Rehearsal } from '../features/rehearsals/schema.ts'
import { checkRehearsal } from '../features/rehearsals/script-checks.ts'
import { LIMIT_MS, rehearsalStore } from '../features/rehearsals/store.ts'
import { toolStore } from '../features/tools/store.ts'
import { validatorCompiler } from '../http/validation.ts'
import { openSpeech } from '../speech/open.ts'
import { toolTypes } from '../tool-types/tool-types.ts'
import { type Command, type CommandContext, UsageError } from './command.ts'

export const rehearse: Command = {
  usage: 'rehearse FILE|FOLDER [--agent AGENT_ID]\n  ramal rehearse --replay CALL_ID [--agent AGENT_ID]',
  summary: "Run scripted callers against an agent, or replay a call's caller; see docs/rehearsals.md",
  run: runScripts,
}

type Script = { title: string; rehearsal: NewRehearsal }

/** True when all passed. */
async function runScripts(context: CommandContext): Promise<boolean> {
  const { config, database, print } = context
  const { db } = database
  const secrets = context.secrets()
  const log = createLog('warn', process.stderr)
  const scripts = await readScripts(context)
  const needsAudio = scripts.some(({ rehearsal }) => rehearsal.mode === 'audio')
  // Speech engines are slow to load: only when a script needs audio.
  const speech = openSpeech(needsAudio ? config.speech : { ...config.speech, embedded: 'off' }, log)
  const listening = { address: null }
  const agents = agentStore(db)
  const unmetered = { agents, engines: speech, slotsFor: () => speech.slots, meter: noMeter }
  await using providers = await providerService({ config, db, secrets, log, listening }, unmetered)
  const own = ownListeners(ownAddresses(config, () => config.http))
  const http = guardedHttp({ allowedNetworks: config.allowedNetworks, own })
  const types = toolTypes({ http })
  const here = { disk: diskIdOf(config.dataDir), nodeId: '', store: await openObjectStore(config) }
  const service = simulationService({
    session: sessionParts,
    agents,
    tools: toolStore(db, secrets),
    types,
    calls: callStore(db),
    turnsOf: callTurns(db).of,
    openRecording: recordingFiles(config.dataDir, here).open,
    rehearsals: rehearsalStore(db),
    speech,
    llmsOf: providers.forUser,
    log,
    waitMs: LIMIT_MS,
  })
  try {
    await speech.settled
    let passed = 0
    for (const { title, rehearsal } of scripts) {
      const userId = await ownerOf(database, rehearsal)
      const startedMs = monotonicMs()
      const result = await service.run(userId, rehearsal)
      for (const line of reportOf(title, result, monotonicMs() - startedMs)) print(line)
      if (result.status === 'passed') passed++
    }
    print(`${passed} of ${scripts.length} passed`)
    return passed === scripts.length
  } finally {
    await service.close()
    for (const kind of Object.values(types)) await kind.close?.()
    await http.close()
    await speech.close()
  }
}

async function readScripts({ subject: path, options }: CommandContext): Promise<Script[]> {
  const { agent: agentId, replay: replayOf } = options
  if (replayOf) return [{ title: `replay of ${replayOf}`, rehearsal: { replayOf, agentId } }]
  if (!path) throw new UsageError('FILE, FOLDER or --replay is missing')
  const isFolder = (await stat(path)).isDirectory()
  const names = isFolder ? (await readdir(path)).filter((name) => name.endsWith('.json')).sort() : []
  const files = isFolder ? names.map((name) => join(path, name)) : [path]
  if (files.length === 0) throw new Error(`there is no script (*.json) in ${path}`)
  return Promise.all(files.map((file) => readScript(file, agentId)))
}

const validate = validatorCompiler({ schema: NewRehearsal, httpPart: 'body' })

async function readScript(file: string, agentId: string | undefined): Promise<Script> {
  try {
    const script = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
    const rehearsal = { name: basename(file, '.json'), ...script, ...(agentId === undefined ? {} : { agentId }) }
    await inlineAudio(rehearsal, dirname(file))
    if (!validate(rehearsal)) throw validationError(validate.errors ?? [], 'script')
    checkRehearsal(rehearsal as NewRehearsal)
    return { title: basename(file), rehearsal: rehearsal as NewRehearsal }
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`)
  }
}

/** A step in a file may name a WAV file next to it. */
async function inlineAudio(script: Record<string, unknown>, folder: string): Promise<void> {
  for (const step of Array.isArray(script.steps) ? script.steps : []) {
    if (typeof step?.audioFile !== 'string') continue
    step.audio = (await readFile(resolve(folder, step.audioFile))).toString('base64')
    delete step.audioFile
  }
}

/** The operator may rehearse any user's agent: the owner is read from the row. */
async function ownerOf({ db }: Database, { agentId, replayOf }: NewRehearsal): Promise<string> {
  const row = agentId
    ? await db
        .selectFrom('agents')
        .select('userId')
        .where('id', '=', agentId)
        .where('removedAt', 'is', null)
        .executeTakeFirst()
    : await db
        .selectFrom('calls')
        .select('userId')
        .where('id', '=', replayOf ?? '')
        .executeTakeFirst()
  if (!row) throw new Error(agentId ? `there is no agent ${agentId}` : `there is no call ${replayOf}`)
  return row.userId
}

const seconds = (ms: number | null) => `${((ms ?? 0) / 1000).toFixed(1)} s`

function reportOf(title: string, rehearsal: Rehearsal, tookMs: number): string[] {
  const { status, checks, comparison, durationMs, error, llm, id } = rehearsal
  const model = llm ? (llm.isModel ? llm.name : 'the built-in rules') : '-'
  const width = Math.min(70, Math.max(0, ...checks.map(({ text }) => text.length)))
  return [
    `${status.padEnd(8)} ${title}  (${seconds(durationMs)} of call in ${seconds(tookMs)}, ${model}, ${id})`,
    ...(error ? [`  ${error}`] : []),
    ...checks.map(({ text, passed, detail }) =>
      passed ? `  ok      ${text}` : `  FAILED  ${text.padEnd(width)}  ${detail}`,
    ),
    ...(comparison ?? []).flatMap(({ turn, caller, before, after, beforeMs, afterMs, isSame, similarity }) => [
      `  turn ${turn}: ${caller ?? '-'}`,
      `    before ${beforeMs ?? '-'} ms  ${before ?? '-'}`,
      isSame
        ? `    after  ${afterMs ?? '-'} ms  the same`
        : `    after  ${afterMs ?? '-'} ms  ${after ?? '-'}  (${Math.round(similarity * 100)} % alike)`,
    ]),
  ]
}
