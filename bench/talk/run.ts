// Talk benchmark: difficult callers over real SIP and RTP to a real platform process with embedded speech, scored.
//
// npm run bench:talk -- [--only CLASS,…] [--calls N] [--minutes N] [--id ID,…] [--lanes 1] [--record DIR] [--json FILE]
// [--scores FILE]
// [--platform CHECKOUT] [--livekit] [--prepare]
//
// In full about 40 minutes with one call at a time. The callers' speech is synthesized on first use and kept in
// node_modules/.cache.
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { setThreadNiceness } from '../../src/base/process/thread-priority.ts'
import { openSilero } from '../../src/speech/vad/silero.ts'
import { cpuSeconds } from '../api/proc.ts'
import { largest, ms } from '../report/figures.ts'
import { benchmark, commonOptions, note, type Report } from '../report/report.ts'
import type { Dialogue } from './dialogue.ts'
import { dialogues } from './dialogues.ts'
import { applyRules, type RuleScore } from './livekit-rules.ts'
import { openModel } from './model.ts'
import { openTelephone } from './phone.ts'
import { type Lane, placeCall, type SceneAudio } from './place-call.ts'
import { startPlatform } from './platform.ts'
import { save } from './record.ts'
import { aimsOf, classTable, faultsOf, interactionTable, medianStages, ruleTable, stageTable } from './report.ts'
import { backgroundOf, replySounds, spokenIn } from './scene-audio.ts'
import { type CallScore, scoreCall } from './score.ts'
import { openVoices } from './voices.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    id: { type: 'string' },
    calls: { type: 'string' },
    minutes: { type: 'string' },
    lanes: { type: 'string', default: '1' },
    record: { type: 'string' },
    ...commonOptions,
    scores: { type: 'string' },
    prepare: { type: 'boolean', default: false },
    livekit: { type: 'boolean', default: false },
    platform: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) },
  },
})
const wanted = (list: string | undefined) => (one: string) => list === undefined || list.split(',').includes(one)
/**
 * Interleaves the classes, the first dialogue of each and then the second, so that any prefix of the set covers all of
 * them.
 */
const placeInClass = (dialogue: Dialogue) => dialogues.filter((one) => one.class === dialogue.class).indexOf(dialogue)
const chosen = dialogues
  .toSorted((a, b) => placeInClass(a) - placeInClass(b))
  .filter((dialogue) => wanted(values.only)(dialogue.class) && wanted(values.id)(dialogue.id))
  .slice(0, Number(values.calls ?? dialogues.length))

type Audio = ReadonlyMap<Dialogue, SceneAudio>

async function prepare(): Promise<Audio> {
  const voices = openVoices()
  const prepared = new Map<Dialogue, SceneAudio>()
  for (const dialogue of chosen)
    prepared.set(dialogue, {
      spoken: await spokenIn(dialogue, voices),
      background: await backgroundOf(dialogue, voices),
      replySounds: await replySounds(dialogue, voices),
    })
  await voices.close()
  note(`${chosen.length} dialogues are synthesised`)
  return prepared
}

const lanes = Number(values.lanes)
const limitMs = Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000
const scores: CallScore[] = []
const failures: string[] = []
const queue = [...chosen]

async function run(lane: Lane, prepared: Audio, untilMs: number): Promise<void> {
  for (let dialogue = queue.shift(); dialogue; dialogue = queue.shift()) {
    if (performance.now() > untilMs) return
    const audio = prepared.get(dialogue)
    if (!audio) continue
    try {
      const trace = await placeCall(lane, { dialogue, ...audio })
      const score = scoreCall(trace)
      scores.push(score)
      if (values.record !== undefined) save(trace, values.record)
      note(`${dialogue.id}: ${faultsOf(score).join('; ') || 'fine'}`)
    } catch (error) {
      failures.push(`${dialogue.id}: ${error instanceof Error ? error.message : error}`)
      note(failures.at(-1) ?? '')
    }
  }
}

async function measure(report: Report): Promise<void> {
  const prepared = await prepare()
  if (values.prepare) return report.text(`${prepared.size} dialogues are prepared; no call was made.`)
  const model = await openModel()
  const telephone = await openTelephone()
  const platform = await startPlatform({
    root: resolve(values.platform),
    modelUrl: model.url,
    trunkPort: telephone.port,
    lanes,
  })
  setThreadNiceness(-10) // the measuring process must not be late itself; the platform has its usual priority
  const beganMs = performance.now()
  const cpuBefore = cpuSeconds(platform.pid)
  const all = Array.from({ length: lanes }, (_, number) =>
    run({ number, telephone, model, platform }, prepared, beganMs + limitMs),
  )
  await Promise.all(all)
  if (values.record !== undefined) writeFileSync(join(values.record, 'platform.log'), platform.output())
  const seconds = (performance.now() - beganMs) / 1000
  const cores = (cpuSeconds(platform.pid) - cpuBefore) / seconds
  platform.stop()
  model.close()
  await telephone.close()
  if (scores.length === 0) throw new Error(`no call was scored: ${failures.join('; ') || 'there was no time for one'}`)
  report.text(
    `${scores.length} of ${dialogues.length} calls, ${lanes} at a time, in ${Math.round(seconds / 60)} minutes; ${failures.length} calls failed. The platform used ` +
      `${cores.toFixed(2)} cores; the callers' clock was late by at most ${ms(largest(scores.map((one) => one.callerLateMs)))}.`,
  )
  report.text(classTable(scores))
  report.text(interactionTable(scores))
  report.text(stageTable(scores))
  const faults = scores.filter((call) => faultsOf(call).length > 0)
  const lines = [
    ...failures.map((failure) => `- failed: ${failure}`),
    ...faults.map((call) => `- ${call.id}: ${faultsOf(call).join('; ')}`),
  ]
  for (const line of lines) note(line)
  for (const { what, found, isMet } of aimsOf(scores)) report.aim(what, isMet === null ? null : found, isMet === true)
  const rules = values.livekit ? await livekitRules(report, prepared) : []
  if (values.scores === undefined) return
  const missed = (_: string, value: unknown) => (value === Number.POSITIVE_INFINITY ? 'missed' : value)
  writeFileSync(values.scores, `${JSON.stringify({ aims: aimsOf(scores), failures, scores, rules }, missed, 1)}\n`)
}

async function livekitRules(report: Report, prepared: Audio): Promise<RuleScore[]> {
  const stages = medianStages(scores)
  if (!stages) return []
  const rules: RuleScore[] = []
  const vad = await openSilero()
  for (const [dialogue, audio] of prepared) rules.push(...(await applyRules(vad, { dialogue, ...audio }, stages)))
  await vad.close()
  report.heading("LiveKit Agents' default rules on the same callers")
  report.text(ruleTable(rules))
  return rules
}

await benchmark({ name: 'talk', title: 'Talk benchmark' }, values, measure)
