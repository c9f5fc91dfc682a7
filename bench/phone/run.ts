// Telephony benchmark: call rate and cost per call, beside npm's `sip` and sipp's own server, in one run.
//
//   npm run bench:phone -- [--seconds 8] [--only set-up,platform,media] [--calls 100,200,300]
import { parseArgs } from 'node:util'
import { measureMedia } from './media.ts'
import { firstAudioMs, measurePlatform, memoryPerCall, startPlatform } from './platform.ts'
import { measureProgram, measureSipp, type SetUpRow } from './set-up.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    only: { type: 'string', default: 'set-up,platform,media' },
    calls: { type: 'string', default: '100,200,300' },
  },
})
const seconds = Number(values.seconds)
const parts = values.only.split(',')
const print = (text: string) => void process.stdout.write(`${text}\n`)

function printRow({ name, perSecond, calls, failed, repeats, cpuMsPerCall }: SetUpRow): void {
  const numbers = `${calls} calls, ${failed} failed, ${repeats} repeats, ${cpuMsPerCall.toFixed(2)} ms of CPU each`
  print(`  ${name.padEnd(38)} ${String(perSecond).padStart(5)}/s  ${numbers}`)
}

if (parts.includes('set-up')) {
  print('\nCalls set up (aim: 300 a second on one core without a failure)')
  for (const perSecond of [300, 1000]) {
    printRow(await measureProgram('our SIP stack', 'answering-stack.ts', { perSecond, seconds }))
    printRow(await measureProgram("npm's sip", 'answering-npm-sip.ts', { perSecond, seconds }))
    printRow(await measureSipp({ perSecond, seconds }))
  }
}

if (parts.includes('platform')) {
  print('\nThe whole platform, 1 s of call each (aim: 50 a second with rows and an agent)')
  const platform = await startPlatform()
  try {
    printRow(await measurePlatform(platform, 20, 4, 500)) // JIT warm-up
    printRow(await measurePlatform(platform, 50, seconds, 1000))
    const first: number[] = []
    for (let i = 0; i < 10; i++) first.push(await firstAudioMs(platform))
    const sorted = first.sort((a, b) => a - b).map((ms) => ms.toFixed(0))
    print(`  INVITE to first sound of the agent: ${sorted.join(', ')} ms (aim under 200)`)
    print(`  memory of a call: ${(await memoryPerCall(platform, 150)).toFixed(2)} MB (aim 1)`)
  } finally {
    platform.stop()
  }
}

if (parts.includes('media')) {
  print('\nCalls at once, G.711, recorded, as their far end hears them (aim: 300 with p99 under 5 ms)')
  for (const calls of values.calls.split(',').map(Number)) {
    const { cpuPercent, jitterMs, mbPerCall, missingPercent, concealed } = await measureMedia(calls, seconds)
    const jitter = `${jitterMs.p50.toFixed(1)} / ${jitterMs.p99.toFixed(1)} / ${jitterMs.max.toFixed(1)} ms`
    const rest = `${mbPerCall.toFixed(2)} MB a call, ${missingPercent.toFixed(2)} % missing, ${concealed} concealed`
    print(
      `  ${String(calls).padStart(4)} calls: ${cpuPercent.toFixed(0)} % of a core, jitter p50/p99/max ${jitter}, ${rest}`,
    )
  }
}
process.exit(0)
