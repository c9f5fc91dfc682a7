// A web call's leg on the main thread: audio with the interface of an RTP leg, and the signaling with the browser.
import { ownedListener } from '../base/errors/error-containment.ts'
import type { LegEvent } from '../rtp/leg.ts'
import { MainLeg } from '../rtp/main-leg.ts'
import type { MediaThread } from '../rtp/thread.ts'
import { TO_SOCKET, type WebClient, type WebEvent } from '../rtp/web-wire.ts'
import { INPUT_HZ } from './protocol.ts'

export type WebLegEvents = {
  /** Digits are delivered by the leg. */
  onEvent(event: LegEvent): void
  onSignal(event: Exclude<WebEvent, { type: 'answer' | 'no-answer' | 'digit' }>): void
  /** Audio for the browser's socket: a view of a buffer that all calls share. */
  onSocketAudio?(pcm: Int16Array): void
}

export type WebLeg = ReturnType<typeof openWebLeg>

type Opening = { id: number; client: WebClient; lostAfterMs: number }

export function openWebLeg(thread: MediaThread, { id, client, lostAfterMs }: Opening, events: WebLegEvents) {
  const answers = new Map<number, PromiseWithResolvers<string>>()
  let lastJob = 0

  function answerOf(job: number): Promise<string> {
    const answer = Promise.withResolvers<string>()
    answers.set(job, answer)
    return answer.promise
  }
  function refuseAll(problem: string): void {
    for (const { reject } of answers.values()) reject(new Error(problem))
    answers.clear()
  }

  const onSignal = ownedListener<Parameters<WebLegEvents['onSignal']>>((event) => events.onSignal(event))
  const onSocketAudio = ownedListener((pcm: Int16Array) => events.onSocketAudio?.(pcm))
  const media = new MainLeg(id, 0, thread, { onEvent: (event) => events.onEvent(event) }, () => refuseAll('closed'))
  const first = client.by === 'webrtc' ? answerOf(0) : Promise.resolve('')
  first.catch(() => {}) // handled by the callers of `answer`

  function signal(event: WebEvent): void {
    if (event.type === 'digit') media.pushDigit(event.digit)
    else if (event.type === 'answer') answers.get(event.job)?.resolve(event.sdp)
    else if (event.type === 'no-answer') answers.get(event.job)?.reject(new Error(event.problem))
    else onSignal(event)
    if ('job' in event) answers.delete(event.job)
  }

  thread.legs.set(id, {
    hear(entry, atMs) {
      if (entry.play === TO_SOCKET) onSocketAudio(entry.pcm)
      else media.hear(entry, atMs)
    },
    take: (note, atMs) => media.take(note, atMs),
    signal,
    fail: (problem) => media.fail(problem),
    close: () => media.close(),
  })
  thread.tell({ do: 'open-web', leg: id, lostAfterMs, client })

  return {
    media,
    /** The answer to the browser's first offer; empty for a socket. */
    answer: first,
    restartIce(offer: string): Promise<string> {
      const job = ++lastJob
      const answer = answerOf(job)
      thread.tell({ do: 'restart-ice', leg: id, job, offer })
      return answer
    },
    /** By the data channel. */
    sendMessage(text: string): void {
      thread.tell({ do: 'message', leg: id, text })
    },
    /** Audio that a socket has received. */
    putSocketAudio(stream: number, pcm: Int16Array): void {
      thread.say(id, -stream, INPUT_HZ, pcm)
    },
    /** Ends the audio, then the connection; messages already sent are still delivered. */
    disconnect(): void {
      void media.close()
      thread.tell({ do: 'disconnect', leg: id })
    },
  }
}
