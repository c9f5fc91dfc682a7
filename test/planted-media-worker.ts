// A media worker, of telephone or of web calls, with the faults that planted-faults-child.ts arms.
import { workerData } from 'node:worker_threads'
import { RtpLeg } from '../src/rtp/rtp-leg.ts'
import { WorkerVads } from '../src/rtp/worker-vad.ts'
import { WorkerLeg } from '../src/webcall/worker-leg.ts'

/** `armed`: 1 for a telephone leg, 2 for a leg of a web call, 3 for the clock of telephone calls. */
export type PlantedWorker = { entry: string; armed: Int32Array }

/** The next call of this method throws once the fault is armed. */
function plant<K extends string>(number: number, at: Record<K, (...args: never[]) => unknown>, method: K): void {
  const original = at[method]
  at[method] = function (this: unknown, ...args) {
    if (Atomics.compareExchange(armed, 0, number, 0) === number) throw new Error('planted')
    return original.apply(this, args)
  }
}

const { entry, armed } = workerData as PlantedWorker
plant(1, RtpLeg.prototype, 'hear')
plant(2, WorkerLeg.prototype, 'hear')
if (entry.includes('/rtp/')) plant(3, WorkerVads.prototype, 'flush')
await import(entry)
