// Runs a web call: requests a token, opens microphone and speakers, and applies server events.
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import type { paths } from '../../../../client/paths.ts'
import { api, errorMessage, unwrap } from '../../api.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { type CallEvent, initialTalk, talkReducer } from './talk-state.ts'
import { talkTexts } from './talk-texts.ts'

export type Transport = 'socket' | 'webrtc'
export type Levels = { caller: number; agent: number }
type WebCall = { stop(): void; mute(isMuted: boolean): void; digit(digit: string): void }

/** Browsers block the microphone on plain HTTP, except on localhost. */
export const canSpeak = (): boolean => window.isSecureContext && navigator.mediaDevices?.getUserMedia !== undefined

export type NewWebCall = paths['/api/web-calls']['post']['requestBody']['content']['application/json']

/** `order` returns the call to request; called when the call starts. */
export function useTalk(order: () => NewWebCall, onLevel: (levels: Levels) => void) {
  const t = useTexts(talkTexts)
  const shared = useTexts(commonTexts)
  const [state, dispatch] = useReducer(talkReducer, initialTalk)
  const [isMuted, setMuted] = useState(false)
  const call = useRef<WebCall | null>(null)
  /** Increments with each call, to ignore late events of an earlier one. */
  const number = useRef(0)

  const leave = useCallback(() => {
    number.current += 1
    call.current?.stop()
    call.current = null
  }, [])
  useEffect(() => leave, [leave])

  async function start(transport: Transport): Promise<void> {
    leave()
    const own = number.current
    const isOurs = () => own === number.current
    dispatch({ do: 'call' })
    setMuted(false)
    try {
      const { token, iceServers } = await unwrap(api.POST('/api/web-calls', { body: order() }))
      const { startWebCall } = await import('../../../client/web-call.ts')
      const begun = await startWebCall({
        token,
        transport,
        iceServers,
        onEvent: (event) => isOurs() && dispatch({ do: 'hear', event: event as CallEvent, now: Date.now() }),
        onLevel: (levels) => isOurs() && onLevel(levels),
      })
      if (isOurs()) call.current = begun
      else begun.stop()
    } catch (error) {
      if (isOurs()) dispatch({ do: 'fail', problem: problemOf(error), now: Date.now() })
    }
  }

  function problemOf(error: unknown): string {
    const name = error instanceof DOMException ? error.name : ''
    if (name === 'NotAllowedError' || name === 'SecurityError') return t.denied
    if (name === 'NotFoundError' || name === 'OverconstrainedError') return t.noMicrophone
    if (name === 'NotReadableError') return t.busyMicrophone
    return error instanceof TypeError ? shared.offline : (errorMessage(error) ?? shared.offline)
  }

  return {
    state,
    isMuted,
    start,
    hangUp(): void {
      leave()
      onLevel({ caller: 0, agent: 0 })
      dispatch({ do: 'leave', now: Date.now() })
    },
    mute(next: boolean): void {
      setMuted(next)
      call.current?.mute(next)
    },
    digit: (digit: string) => call.current?.digit(digit),
  }
}
