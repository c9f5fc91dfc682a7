// Keeps one core busy for a share of the time, at normal priority, until it is killed: node busy-core.ts SHARE.
import { monotonicMs } from '../../src/base/time/clock.ts'

const PERIOD_MS = 20
const share = Number(process.argv[2])
const idle = new Int32Array(new SharedArrayBuffer(4))
process.send?.('started')
process.once('disconnect', () => process.exit(0))

function period(): void {
  const until = monotonicMs() + PERIOD_MS * share
  while (monotonicMs() < until);
  Atomics.wait(idle, 0, 0, PERIOD_MS * (1 - share))
  setImmediate(period)
}
period()
