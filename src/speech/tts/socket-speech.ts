// One synthesis request over a vendor's WebSocket, with a check that the audio is complete.
import { limits } from '../../base/outside/limits.ts'
import type { AudioFrame } from '../../voice/ports.ts'
import { parsed, timeoutsOf, type Vendor, VendorError } from '../vendor-http.ts'
import { openSocket } from '../vendor-socket.ts'

export type SocketSpeech<Message> = {
  path: string
  sent: readonly object[]
  /** Throws when the vendor reports a failure. */
  read(message: Message): { frame?: AudioFrame | undefined; isLast: boolean }
}

export async function* socketSpeech<Message>(
  vendor: Vendor,
  { path, sent, read }: SocketSpeech<Message>,
  signal: AbortSignal,
): AsyncGenerator<AudioFrame> {
  const socket = await openSocket(vendor, path, signal, { maxBytes: limits.speechMessage.bytes })
  const { firstByteMs, idleMs } = timeoutsOf(vendor)
  try {
    socket.expectWithin(firstByteMs)
    for (const message of sent) await socket.send(JSON.stringify(message))
    for await (const data of socket.messages()) {
      const { frame, isLast } = read(parsed(vendor, data, limits.speechMessage) as Message)
      // The consumer may be slow to take the frame.
      socket.expectWithin(null)
      if (frame) yield frame
      if (isLast) return
      socket.expectWithin(idleMs)
    }
    if (!signal.aborted) throw new VendorError('service_speech_cut', { service: vendor.name }, { isPassing: true })
  } finally {
    socket.close()
  }
}
