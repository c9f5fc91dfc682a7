// `ramal rehearse`: runs script files, or the replay of a call, against the agents of the database, and prints what came of them.
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { agentStore } from '../api/agents/store.ts'
import { recordingFiles } from '../api/calls/recordings.ts'
import { callStore } from '../api/calls/store.ts'
import { callTurns } from '../api/calls/turns.ts'
import { checkRehearsal } from '../api/rehearsals/checks.ts'
import { NewRehearsal, type Rehearsal } from '../api/rehearsals/schema.ts'
import { LIMIT_MS, rehearsalStore } from '../api/rehearsals/store.ts'
import { toolStore } from '../api/tools/store.ts'
import { monotonicMs } from '../base/clock.ts'
import { diskIdOf } from '../base/disk-id.ts'
import type { Log } from '../base/log.ts'
import type { KeyRing } from '../base/secrets.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { validationError, validatorCompiler } from '../http/validation.ts'
import { openBrain } from '../llm/open.ts'
import { simulationService } from '../services/simulation/service.ts'
import { openSpeech } from '../speech/open.ts'
import { guardedHttp } from '../tools/http/guarded-http.ts'
import { ownListeners, ownPlaces } from '../tools/http/own-listeners.ts'
import { toolKinds } from '../tools/tool-types.ts'

export type RehearseParts = {
  config: Config
  database: Database
  secrets: KeyRing
  log: Log
  say: (text: string) => void
}
export type RehearseAsked = { path: string | undefined; agentId: string | undefined; replayOf: string | undefined }

type Script = { title: string; asked: NewRehearsal }

/** True when all passed. */
export async function rehearseFromCommand(parts: RehearseParts, given: RehearseAsked): Promise<boolean> {
  const { config, database, secrets, log, say } = parts
  const { db } = database
  const scripts = await scriptsOf(given)
  const needsSound = scripts.some(({ asked }) => asked.mode === 'audio')
  // Voices take long to open: only for whom they are heard.
  const speech = openSpeech(needsSound ? config.speech : { ...config.speech, embedded: 'off' }, log)
  const brain = await openBrain(config.llm, log)
  const own = ownListeners(ownPlaces(config, () => config.http))
  const http = guardedHttp({ allowedNetworks: config.allowedNetworks, own })
  const kinds = toolKinds({ http })
  const service = simulationService({
    agents: agentStore(db),
    tools: toolStore(db, secrets),
    kinds,
    calls: callStore(db),
    turnsOf: callTurns(db).of,
    locateRecording: recordingFiles(config.dataDir, { disk: diskIdOf(config.dataDir), nodeId: '' }).locate,
    rehearsals: rehearsalStore(db),
    speech,
    llmFor: brain.llmFor,
    log,
    waitMs: LIMIT_MS,
  })
  try {
    await speech.settled
    let passed = 0
    for (const { title, asked } of scripts) {
      const userId = await ownerOf(database, asked)
      const startedMs = monotonicMs()
      const rehearsal = await service.run(userId, asked)
      for (const line of reportOf(title, rehearsal, monotonicMs() - startedMs)) say(line)
      if (rehearsal.status === 'passed') passed++
    }
    say(`${passed} of ${scripts.length} passed`)
    return passed === scripts.length
  } finally {
    await service.close()
    for (const kind of Object.values(kinds)) await kind.close?.()
    await http.close()
    await speech.close()
    await brain.close()
  }
}

async function scriptsOf({ path, agentId, replayOf }: RehearseAsked): Promise<Script[]> {
  if (replayOf !== undefined) return [{ title: `replay of ${replayOf}`, asked: { replayOf, agentId } }]
  if (path === undefined) throw new Error('FILE or FOLDER is missing')
  const isFolder = (await stat(path)).isDirectory()
  const names = isFolder ? (await readdir(path)).filter((name) => name.endsWith('.json')).sort() : []
  const files = isFolder ? names.map((name) => join(path, name)) : [path]
  if (files.length === 0) throw new Error(`there is no script (*.json) in ${path}`)
  return Promise.all(files.map((file) => scriptIn(file, agentId)))
}

const validate = validatorCompiler({ schema: NewRehearsal, httpPart: 'body' })

async function scriptIn(file: string, agentId: string | undefined): Promise<Script> {
  try {
    const read = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
    const asked = { name: basename(file, '.json'), ...read, ...(agentId === undefined ? {} : { agentId }) }
    await putSounds(asked, dirname(file))
    if (!validate(asked)) throw validationError((validate.errors ?? []) as never, 'script')
    checkRehearsal(asked as NewRehearsal)
    return { title: basename(file), asked: asked as NewRehearsal }
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`)
  }
}

/** In a file a step may name a WAV file beside it. */
async function putSounds(asked: Record<string, unknown>, folder: string): Promise<void> {
  for (const step of Array.isArray(asked.steps) ? asked.steps : []) {
    if (typeof step?.audioFile !== 'string') continue
    step.audio = (await readFile(resolve(folder, step.audioFile))).toString('base64')
    delete step.audioFile
  }
}

/** The command line belongs to the operator: whose agent or call it is says the row. */
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

export function reportOf(title: string, rehearsal: Rehearsal, tookMs: number): string[] {
  const { status, checks, comparison, durationMs, error, llm, id } = rehearsal
  const who = llm ? (llm.isModel ? llm.name : 'the built-in rules') : '-'
  const width = Math.min(70, Math.max(0, ...checks.map(({ text }) => text.length)))
  return [
    `${status.padEnd(8)} ${title}  (${seconds(durationMs)} of call in ${seconds(tookMs)}, ${who}, ${id})`,
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
