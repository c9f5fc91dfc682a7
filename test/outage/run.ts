// Real phones in conversations while the agent's vendors are cut off, with every fault at every moment: what the
// callers hear.
//
// npm run test:outage -- [--lanes 3] [--voice natural] [--only "tts .* speaking"] [--most 1000]
//
// In full: 192 cuts, about 20 minutes. Fails if a call is lost or a transcript is wrong; a silence above the target is
// only reported.
import { parseArgs } from 'node:util'
import { runEndings } from '../endings.ts'
import { allCuts, type Cut, type CutResult, nameOf, runCut } from './cuts.ts'
import { judge } from './judge.ts'
import { nameAccounts, newVendors, openLine, startOutageApp } from './line.ts'

const { values } = parseArgs({
  options: {
    lanes: { type: 'string', default: '3' },
    voice: { type: 'string', default: 'natural' },
    only: { type: 'string', default: '' },
    most: { type: 'string', default: '1000' },
  },
})
const print = (text: string) => void process.stdout.write(`${text}\n`)
const isMeant = (cut: Cut) => new RegExp(values.only).test(nameOf(cut))
const well = (['listening', 'thinking', 'speaking'] as const).map(
  (moment): Cut => ({ target: 'all', moment, outage: null, hasSecond: false }),
)
const cuts = [...allCuts(false), ...allCuts(true)].filter(isMeant).slice(0, Number(values.most))

const app = await startOutageApp(values.voice === 'small' ? 'small' : 'natural')
const results: CutResult[] = []
const queue = [...well, ...cuts]

async function lane(number: number): Promise<void> {
  const [vendors, second] = [await newVendors(), await newVendors('second')]
  const line = await openLine(app, vendors, `caller-${number}`)
  for (let cut = queue.shift(); cut; cut = queue.shift()) {
    await nameAccounts(line, cut.hasSecond ? second : undefined)
    const result = await runCut(line, cut).catch((error: Error) => {
      print(`FAILED ${nameOf(cut)}: ${error.message}`)
      process.exitCode = 1
    })
    await vendors.cut('all', null)
    if (!result) continue
    results.push(result)
    const { problems, otherMs, isSlow } = judge(result)
    const said = `${(result.silenceMs ?? Number.NaN).toFixed(0).padStart(6)} ms${isSlow ? '!' : ' '} ${nameOf(cut)}`
    print(
      `${said}${otherMs > 0 ? `, ${otherMs} ms of another voice` : ''}${problems.map((it) => `\n          ${it}`).join('')}`,
    )
  }
}
await Promise.all(Array.from({ length: Number(values.lanes) }, (_, i) => lane(i + 1)))

const percentile = (all: readonly number[], part: number) => {
  const sorted = all.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN).toFixed(0)
}
function printGroup(name: string, all: readonly CutResult[]): void {
  const silences = all.map(({ silenceMs }) => silenceMs ?? Number.POSITIVE_INFINITY)
  const numbers = [0.5, 0.95, 1].map((part) => `${percentile(silences, part)} ms`)
  const lost = all.filter(({ isLost }) => isLost).length
  print(`| ${[name, all.length, ...numbers, all.filter((result) => judge(result).isSlow).length, lost].join(' | ')} |`)
}
print(`\n| | cuts | silence p50 | p95 | max | over 2 s | calls lost |\n|---|${'---:|'.repeat(6)}`)
const struck = results.filter(({ cut }) => cut.outage !== null)
printGroup('nothing fails', results.filter(({ cut }) => cut.outage === null)) // biome-ignore format: one row
for (const by of [
  ({ cut }: CutResult) => `${cut.target} while ${cut.moment}`,
  ({ cut }: CutResult) => cut.outage ?? '',
  ({ cut }: CutResult) => (cut.hasSecond ? 'a second vendor' : 'embedded engines'),
])
  for (const [name, all] of Object.entries(Object.groupBy(struck, by))) printGroup(name, all ?? [])
printGroup('**all**', struck)
const wrong = struck.filter((result) => judge(result).problems.length > 0)
print(
  wrong.length === 0 ? '\nNo call lost; every transcript says what was heard.' : `\n${wrong.length} calls went wrong.`,
)
if (wrong.length > 0) process.exitCode = 1
await runEndings()
process.exit()
