// Talk benchmark: difficult callers over real SIP and RTP to a real platform process with embedded speech, scored.
//
//   npm run bench:talk -- [--only CLASS,…] [--calls N] [--minutes N] [--id ID,…] [--lanes 1] [--record DIR] [--json FILE]
//                         [--platform CHECKOUT] [--livekit] [--prepare]
//
// In full about 40 minutes with one call at a time. The callers' speech is synthesised on first use and kept in
// node_modules/.cache.
import { writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { setThreadNiceness } from '../../src/base/thread-priority.ts'
import { openSilero } from '../../src/speech/vad/silero.ts'
import { cpuSeconds } from '../api/proc.ts'
import type { Dialogue } from './dialogue.ts'
import { dialogues } from './dialogues.ts'
import { applyRules, type RuleScore } from './livekit-rules.ts'
import { openModel } from './model.ts'
import { openTelephone } from './phone.ts'
import { type Lane, placeCall, type SceneAudio } from './place-call.ts'
import { startPlatform } from './platform.ts'
import { save } from './record.ts'
import { aimsOf, aimTable, classTable, faultsOf, medianStages, ruleTable, stageTable } from './report.ts'
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
    json: { type: 'string' },
    prepare: { type: 'boolean', default: false },
    livekit: { type: 'boolean', default: false },
    platform: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) },
  },
})
const print = (text: string) => void process.stdout.write(`${text}\n`)
const note = (text: string) => void process.stderr.write(`${text}\n`)
const load = () => loadavg().map((one) => one.toFixed(2)).join(', ') // biome-ignore format: one line
/** A load that is no longer negligible. */
const BUSY = 0.5

const wanted = (list: string | undefined) => (one: string) => list === undefined || list.split(',').includes(one)
/** The first of each class, then the second of each: a part of the set has all classes. */
const placeInClass = (dialogue: Dialogue) => dialogues.filter((one) => one.class === dialogue.class).indexOf(dialogue)
const chosen = dialogues
  .toSorted((a, b) => placeInClass(a) - placeInClass(b))
  .filter((dialogue) => wanted(values.only)(dialogue.class) && wanted(values.id)(dialogue.id))
  .slice(0, Number(values.calls ?? dialogues.length))

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1)) // stops the platform
const loadBefore = load()
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
if (values.prepare) process.exit(0)

const lanes = Number(values.lanes)
const model = await openModel()
const telephone = await openTelephone()
const platform = await startPlatform({
  root: resolve(values.platform),
  modelUrl: model.url,
  trunkPort: telephone.port,
  lanes,
})
setThreadNiceness(-10) // the measuring process must not be late itself; the platform has its usual priority
const loads: number[] = []
const sampling = setInterval(() => loads.push(loadavg()[0] ?? 0), 5000)
const beganMs = performance.now()
const endMs = beganMs + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000
const cpuBefore = cpuSeconds(platform.pid)
const scores: CallScore[] = []
const failures: string[] = []
const queue = [...chosen]

async function run(lane: Lane): Promise<void> {
  for (let dialogue = queue.shift(); dialogue; dialogue = queue.shift()) {
    if (performance.now() > endMs) return
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
await Promise.all(Array.from({ length: lanes }, (_, number) => run({ number, telephone, model, platform })))
clearInterval(sampling)
if (values.record !== undefined) writeFileSync(join(values.record, 'platform.log'), platform.output())
const seconds = (performance.now() - beganMs) / 1000
const cores = (cpuSeconds(platform.pid) - cpuBefore) / seconds

const [processor] = cpus()
const loadDuring = loads.length === 0 ? '-' : `${Math.min(...loads).toFixed(2)} to ${Math.max(...loads).toFixed(2)}`
const machine = `Node ${process.version}, ${cpus().length} cores (${processor?.model.trim() || process.arch}), ${Math.round(totalmem() / 1e9)} GB`
print('# Talk benchmark\n')
print(`${machine}. Load average before it began: ${loadBefore}; during it (one minute): ${loadDuring}.`)
if (Number(loadBefore.split(',')[0]) > BUSY) print('**The machine was busy before this began: times are too long.**')
print(`${scores.length} calls, ${lanes} at a time, in ${Math.round(seconds / 60)} minutes; the platform used ${cores.toFixed(2)} cores.`) // biome-ignore format: one line
print(
  `The callers' clock was late by at most ${Math.max(0, ...scores.map((one) => one.callerLateMs)).toFixed(0)} ms.\n`,
)
print(`${classTable(scores)}\n`)
print(`${stageTable(scores)}\n`)
print(`${aimTable(scores)}\n`)
for (const failure of failures) print(`Failed: ${failure}`)
for (const call of scores) if (faultsOf(call).length > 0) print(`- ${call.id}: ${faultsOf(call).join('; ')}`)
const stages = medianStages(scores)
const rules: RuleScore[] = []
if (values.livekit && stages) {
  platform.stop()
  const vad = await openSilero()
  for (const [dialogue, audio] of prepared) rules.push(...(await applyRules(vad, { dialogue, ...audio }, stages)))
  await vad.close()
  print(`\n## LiveKit Agents' default rules on the same callers\n\n${ruleTable(rules)}`)
}
if (values.json !== undefined) {
  const all = { machine, loadBefore, loadDuring, aims: aimsOf(scores), failures, scores, rules }
  const missed = (_: string, value: unknown) => (value === Number.POSITIVE_INFINITY ? 'missed' : value)
  writeFileSync(values.json, `${JSON.stringify(all, missed, 1)}\n`)
}
platform.stop()
model.close()
await telephone.close()
process.exit(0)
