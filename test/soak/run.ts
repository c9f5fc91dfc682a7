// Makes 20,000 short calls and checks that the platform holds no more resources afterwards than after a fifth of them.
//
//   npm run soak -- [--calls 20000] [--at-once 30]
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { growth, tableHead, tableRow } from './looks.ts'
import { soak } from './soak.ts'

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '20000' }, 'at-once': { type: 'string', default: '30' } },
})
const print = (text: string) => void process.stdout.write(`${text}\n`)
const dataDir = mkdtempSync(join(tmpdir(), 'ramal-soak-'))
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))

const begin = performance.now()
print(`${values.calls} calls, ${values['at-once']} at a time; load average before: ${(loadavg()[0] ?? 0).toFixed(2)}\n`)
print(tableHead())
const { looks, outcomes } = await soak({
  calls: Number(values.calls),
  atOnce: Number(values['at-once']),
  looksAt: [0.2, 0.4, 0.6, 0.8, 1],
  dataDir,
  patienceMs: 20_000,
  onLook: (look) => print(tableRow(look)),
})
const seconds = (performance.now() - begin) / 1000
print(`\n${(outcomes.length / seconds).toFixed(1)} calls a second for ${(seconds / 60).toFixed(1)} minutes\n`)
for (const [kind, of] of Object.entries(Object.groupBy(outcomes, (one) => one.kind))) {
  const all = of ?? []
  const number = (is: string) => all.filter((one) => one.is === is).length
  const details = [...new Set(all.filter((one) => one.is === 'strange').map(({ detail }) => detail))].slice(0, 3)
  print(`  ${kind.padEnd(24)} ${number('right')} right, ${number('turned-away')} turned away, ${number('strange')} strange ${details.join('; ')}`) // biome-ignore format: one row
}
const problems = growth(looks)
const strange = outcomes.filter(({ is }) => is === 'strange').length
if (strange > outcomes.length / 100) problems.push(`${strange} calls went strangely`)
print(problems.length === 0 ? '\nFlat.' : `\n${problems.join('\n')}`)
process.exit(problems.length === 0 ? 0 : 1)
