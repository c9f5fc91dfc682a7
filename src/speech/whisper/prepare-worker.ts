// Worker thread that writes Whisper's prepared files: edits the graphs, copies the rest.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { NICENESS, setThreadNiceness } from '../../base/process/thread-priority.ts'
import { readModel, writeModel } from '../onnx/protobuf.ts'
import { areSignedProductsExact, signProducts, unsignProducts } from '../onnx/signed-products.ts'
import { copiedFiles, sourceGraphs, whisperFiles, writeManifest } from './folder.ts'
import { optimizeDecoder, shortenEncoder, widenConvolutions } from './graph.ts'

export type PrepareSetup = { source: string; into: string }
export type FromPrepare = { done: number } | { failed: string }

async function makeFiles({ source, into }: PrepareSetup, onStep: (done: number) => void): Promise<void> {
  onStep(0)
  // The encoder comes with unsigned weights, the decoder with signed ones: neither suits all processors.
  const suitProducts = (await areSignedProductsExact()) ? signProducts : unsignProducts
  const encoder = await readModel(join(source, sourceGraphs.encoder))
  shortenEncoder(encoder)
  widenConvolutions(encoder)
  suitProducts(encoder)
  await writeModel(join(into, whisperFiles.encoder), encoder)
  onStep(0.3)
  const decoder = await readModel(join(source, sourceGraphs.decoder))
  onStep(0.4)
  optimizeDecoder(decoder)
  suitProducts(decoder)
  await writeModel(join(into, whisperFiles.decoder), decoder)
  onStep(0.9)
  for (const name of copiedFiles) await writeFile(join(into, name), await readFile(join(source, name)), { flush: true })
  onStep(0.95)
  await writeManifest(into, source)
}

if (parentPort) {
  const port = parentPort
  setThreadNiceness(NICENESS.background)
  let isStopped = false
  port.on('message', () => {
    isStopped = true
  })
  makeFiles(workerData as PrepareSetup, (done) => {
    if (isStopped) throw new Error('stopped')
    port.postMessage({ done } satisfies FromPrepare)
  })
    .catch((error) => port.postMessage({ failed: String(error) } satisfies FromPrepare))
    .finally(() => port.close())
}
