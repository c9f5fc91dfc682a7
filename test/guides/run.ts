// Runs every command block of the guides as a reader would paste it, and reports failures: `npm run test:guides`,
// optionally with names of guides.
import { guidesWithCommands } from './blocks.ts'
import { followGuide, type Outcome } from './follow.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)
const wanted = process.argv.slice(2)
const counts: Record<Outcome['status'], number> = { passed: 0, failed: 0, norun: 0 }
for (const guide of guidesWithCommands.filter((name) => wanted.length === 0 || wanted.includes(name)))
  for (const { block, status, detail } of await followGuide(guide)) {
    counts[status]++
    print(`${status}  docs/${guide}.md:${block.line}  ${block.language}${status === 'norun' ? `  ${detail}` : ''}`)
    if (status === 'failed') print(detail.replaceAll(/^/gm, '        '))
  }
print(`${counts.passed} passed, ${counts.failed} failed${counts.norun > 0 ? `, ${counts.norun} cannot run here` : ''}`)
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0
