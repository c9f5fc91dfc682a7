// Web calls over WebRTC: the browser offers, we answer with all candidates; the connection itself is in a worker. A broken path is replaced
// by an ICE restart within the same call.

import { loadOpus } from '../audio/opus.ts'
import { AppError, appError } from '../base/errors/errors.ts'
import type { ClientEvents, ClientTransport } from './client-transport.ts'
import { filterCandidates, type IceGuard } from './ice-guard.ts'
import type { WebMedia } from './web-media.ts'
import { checkOffer, codecIn, fingerprintIn, type IceSettings, withPublicCandidates } from './webrtc-sdp.ts'

export type WebRtcTransport = ClientTransport & { readonly answer: string } & Required<
    Pick<ClientTransport, 'restartIce'>
  >

export type WebRtcSettings = IceSettings & { guard: IceGuard; onFault: (problem: string) => void }

const rates = { opus: 16_000, PCMU: 8000 }

export async function webrtcTransport(
  media: WebMedia,
  offer: string,
  settings: WebRtcSettings,
): Promise<WebRtcTransport> {
  checkOffer(offer)
  const codec = codecIn(offer, await loadOpus())
  const ready = Promise.withResolvers<boolean>()
  let events: ClientEvents | undefined
  let isBroken = false
  let isClosed = false

  /** An exception in the WebRTC library, whatever the peer sends, ends only this call. */
  function fault(problem: string): void {
    if (isBroken) return
    isBroken = true
    settings.onFault(problem)
    events?.onConnectionLost()
    close()
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    ready.resolve(false)
    leg.disconnect()
  }

  const { iceServers, ports, host } = settings
  const peer = { codec, iceServers, ports, host }
  const leg = media.open(
    { by: 'webrtc', offer: filterCandidates(offer, settings.guard), peer },
    {
      onEvent(event) {
        if (event.type === 'failed') ready.resolve(false)
        events?.onMedia(event)
      },
      onSignal(event) {
        if (event.type === 'connected') ready.resolve(event.isConnected)
        else if (event.type === 'hangup') events?.onHangup()
        else if (event.type === 'fault') fault(event.problem)
      },
    },
  )
  const toBrowser = (answered: Promise<string>) =>
    answered
      .then((sdp) => withPublicCandidates(sdp, settings))
      .catch((cause) => {
        throw cause instanceof AppError ? cause : appError('offer_unanswerable', {}, { cause })
      })
  const answer = await toBrowser(leg.answer).catch((error) => {
    close()
    throw error
  })

  return {
    answer,
    media: leg.media,
    inputHz: rates[codec],
    outputHz: rates[codec],
    ready: ready.promise,
    listen(listener) {
      events = listener
    },
    sendMessage: (message) => leg.sendMessage(JSON.stringify(message)),
    close,
    refuse: close,
    async restartIce(next, peerAddress) {
      if (isClosed) throw appError('call_over')
      checkOffer(next)
      if (fingerprintIn(next) !== fingerprintIn(offer)) throw appError('web_call_other_browser')
      return toBrowser(leg.restartIce(filterCandidates(next, { ...settings.guard, peerAddress })))
    },
  }
}
