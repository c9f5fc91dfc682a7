// The thread that makes Whisper's files: graphs edited, the rest copied.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { readModel, writeModel } from '../onnx/protobuf.ts'
import { areSignedProductsExact, signProducts } from '../onnx/signed-products.ts'
import { copiedFiles, sourceGraphs, whisperFiles, writeManifest } from './folder.ts'
import { quickenDecoder, shortenEncoder, widenConvolutions } from './graph.ts'

export type MakerSetup = { source: string; into: string }
export type FromMaker = { done: number } | { failed: string }

async function makeFiles({ source, into }: MakerSetup, onStep: (done: number) => void): Promise<void> {
  onStep(0)
  const canSign = await areSignedProductsExact()
  const encoder = await readModel(join(source, sourceGraphs.encoder))
  shortenEncoder(encoder)
  widenConvolutions(encoder)
  if (canSign) signProducts(encoder)
  await writeModel(join(into, whisperFiles.encoder), encoder)
  onStep(0.3)
  const decoder = await readModel(join(source, sourceGraphs.decoder))
  onStep(0.4)
  quickenDecoder(decoder)
  if (canSign) signProducts(decoder)
  await writeModel(join(into, whisperFiles.decoder), decoder)
  onStep(0.9)
  for (const name of copiedFiles) await writeFile(join(into, name), await readFile(join(source, name)), { flush: true })
  onStep(0.95)
  await writeManifest(into, source)
}

if (parentPort) {
  const port = parentPort
  let isStopped = false
  port.on('message', () => {
    isStopped = true
  })
  makeFiles(workerData as MakerSetup, (done) => {
    if (isStopped) throw new Error('stopped')
    port.postMessage({ done } satisfies FromMaker)
  })
    .catch((error) => port.postMessage({ failed: String(error) } satisfies FromMaker))
    .finally(() => port.close())
}
