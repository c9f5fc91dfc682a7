// Worker thread of the turn model, one inference at a time. It exits when told, never during a run.
import { parentPort, workerData } from 'node:worker_threads'
import { MEL_BANDS } from '../../audio/mel.ts'
import { NICENESS, setThreadNiceness } from '../../base/process/thread-priority.ts'
import { loadRuntime, sessionOptions } from '../onnx/runtime.ts'
import { TURN_FRAMES, turnFeatures } from './turn-features.ts'

export type TurnSetup = { file: string }
export type ToTurn = { do: 'judge'; id: number; pcm: Int16Array; rateHz: number } | { do: 'close' }
export type FromTurn =
  | { type: 'ready' }
  | { type: 'judged'; id: number; finished: number }
  | { type: 'failed'; id: number | undefined; message: string }

async function loadModel(file: string) {
  const runtime = await loadRuntime()
  const session = await runtime.InferenceSession.create(file, sessionOptions(1))
  const [input, ...more] = session.inputNames
  const output = session.outputNames[0]
  if (!input || more.length > 0 || !output) throw new Error('a turn model has one input, of sound, and an output')
  return {
    async judge(pcm: Int16Array, rateHz: number): Promise<number> {
      const features = new runtime.Tensor('float32', turnFeatures(pcm, rateHz), [1, MEL_BANDS, TURN_FRAMES])
      const made = await session.run({ [input]: features })
      const finished = Number(made[output]?.data[0])
      if (!(finished >= 0 && finished <= 1)) throw new Error('the turn model gave no probability')
      return finished
    },
    release: () => session.release(),
  }
}

async function work(port: NonNullable<typeof parentPort>, { file }: TurnSetup): Promise<void> {
  const tell = (message: FromTurn) => port.postMessage(message)
  const model = await loadModel(file)
  // The first run is slow, and a model of another kind fails here.
  await model.judge(new Int16Array(0), 16_000)
  let last = Promise.resolve()
  port.on('message', (message: ToTurn) => {
    last = last.then(async () => {
      if (message.do === 'close') {
        await model.release()
        return port.close()
      }
      const { id, pcm, rateHz } = message
      try {
        tell({ type: 'judged', id, finished: await model.judge(pcm, rateHz) })
      } catch (error) {
        tell({ type: 'failed', id, message: String(error) })
      }
    })
  })
  tell({ type: 'ready' })
}

if (parentPort) {
  const port = parentPort
  setThreadNiceness(NICENESS.speech) // before the model starts threads of its own
  work(port, workerData as TurnSetup).catch((error) => {
    port.postMessage({ type: 'failed', id: undefined, message: String(error) } satisfies FromTurn)
    port.close()
  })
}
