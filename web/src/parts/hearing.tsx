// Hearing a voice: a button that plays, one sound at a time on the whole page.
import { ActionIcon, Loader, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlayerPlayFilled, IconPlayerStopFilled } from '@tabler/icons-react'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { api, done, messageOf } from '../api.ts'
import { common } from '../i18n/common.ts'
import { words } from '../i18n/words.ts'
import { useWords } from '../i18n/words.tsx'
import type { Provider } from './voice-choice.ts'
import { wholeWav } from './whole-wav.ts'

/** Without a text it is the voice's own sample. */
export type Saying = {
  provider: Provider
  voiceId: string
  text?: string
  speed?: number | null
  language?: string
  modelId?: string
}

type Hearing = { key: string; isPlaying: boolean } | null
let now: Hearing = null
let stopNow: (() => void) | undefined
const listeners = new Set<() => void>()

function become(next: Hearing): void {
  now = next
  for (const tell of listeners) tell()
}

export function stopHearing(): void {
  stopNow?.()
  stopNow = undefined
  become(null)
}

/** Resolves when it was heard, or when something else is heard instead. */
async function hear(key: string, saying: Saying): Promise<void> {
  stopHearing()
  const leaving = new AbortController()
  const audio = new Audio()
  let url: string | undefined
  stopNow = () => {
    leaving.abort()
    audio.pause()
    if (url) URL.revokeObjectURL(url)
  }
  become({ key, isPlaying: false })
  try {
    const sound = await ask(saying, leaving.signal)
    if (leaving.signal.aborted) return
    const bytes = wholeWav(new Uint8Array(await sound.arrayBuffer()))
    if (leaving.signal.aborted) return
    url = URL.createObjectURL(new Blob([bytes], { type: sound.type }))
    audio.src = url
    await new Promise<void>((resolve, reject) => {
      leaving.signal.addEventListener('abort', () => resolve())
      audio.onended = () => resolve()
      audio.onerror = () => reject(new Error(audio.error?.message))
      audio.play().then(() => leaving.signal.aborted || become({ key, isPlaying: true }), reject)
    })
  } catch (error) {
    if (!leaving.signal.aborted) throw error
  } finally {
    if (!leaving.signal.aborted) stopHearing()
  }
}

const samples = {
  provider_a: '/api/tts/provider_a/preview',
  provider_b: '/api/tts/provider_b/preview',
  provider_c: '/api/tts/provider_c/preview',
} as const

function ask({ provider, voiceId, text, speed, language, modelId }: Saying, signal: AbortSignal): Promise<Blob> {
  if (text && provider === 'provider_b')
    return done(
      api.POST('/api/tts/provider_b/stream', {
        body: { text, voiceId, speed: speed ?? null },
        parseAs: 'blob',
        signal,
      }),
    )
  if (text && provider === 'provider_c') {
    const body = { text, voiceId, language: language ?? null, modelId: modelId ?? null }
    return done(api.POST('/api/tts/provider_c/stream', { body, parseAs: 'blob', signal }))
  }
  return done(api.GET(samples[provider], { params: { query: { voiceId } }, parseAs: 'blob', signal }))
}

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

export function useHearing() {
  const t = useWords(common)
  const hearing = useSyncExternalStore(subscribe, () => now)
  const play = useCallback(
    (key: string, saying: Saying) =>
      hear(key, saying).catch((error) => {
        const message = error instanceof TypeError ? t.offline : (messageOf(error) ?? t.offline)
        notifications.show({ title: t.failed, message, color: 'red', autoClose: 10_000 })
      }),
    [t],
  )
  return { hearing, play }
}

/** For pages: what is heard ends when they are left. */
export const useQuietOnLeaving = () => useEffect(() => stopHearing, [])

const hearWords = words(
  { hear: 'Ouvir', stop: 'Parar' },
  { hear: 'Listen', stop: 'Stop' },
  { hear: 'Escuchar', stop: 'Parar' },
)

/** `name`: whose voice, for those who do not see the row. */
export function HearButton({ id, name, saying, isBig }: { id: string; name: string; saying: Saying; isBig?: boolean }) {
  const t = useWords(hearWords)
  const { hearing, play } = useHearing()
  const isMine = hearing?.key === id
  const word = `${isMine ? t.stop : t.hear}: ${name}`
  return (
    <Tooltip label={word}>
      <ActionIcon
        variant={isMine ? 'filled' : 'default'}
        radius="xl"
        size={isBig ? 44 : 36}
        aria-label={word}
        aria-pressed={isMine}
        onClick={() => (isMine ? stopHearing() : void play(id, saying))}
      >
        {isMine && !hearing.isPlaying ? (
          <Loader size={16} color="currentColor" />
        ) : isMine ? (
          <IconPlayerStopFilled size={16} aria-hidden />
        ) : (
          <IconPlayerPlayFilled size={16} aria-hidden />
        )}
      </ActionIcon>
    </Tooltip>
  )
}
