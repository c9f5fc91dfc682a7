// Voice previews: a play button; only one sound plays at a time.
import { ActionIcon, Loader, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlayerPlayFilled, IconPlayerStopFilled } from '@tabler/icons-react'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { api, errorMessage, unwrap } from '../api.ts'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import { texts } from '../i18n/texts.ts'
import type { Provider } from './voice-providers.ts'
import { fixWavLengths } from './wav-header.ts'

/** Without `text`, plays the voice's own sample. */
export type PreviewRequest = {
  provider: Provider
  voiceId: string
  text?: string
  speed?: number | null
  language?: string
  modelId?: string
}

/** What to play, or a function that determines it when the button is pressed; undefined if no voice can speak it. */
export type PreviewSource = PreviewRequest | (() => Promise<PreviewRequest | undefined>)

type PreviewState = { key: string; isPlaying: boolean } | null
let now: PreviewState = null
let stopNow: (() => void) | undefined
const listeners = new Set<() => void>()

function setState(next: PreviewState): void {
  now = next
  for (const tell of listeners) tell()
}

function stopPreview(): void {
  stopNow?.()
  stopNow = undefined
  setState(null)
}

/** Resolves when playback ends or another preview starts. */
async function playPreview(key: string, source: PreviewSource, noVoice: string): Promise<void> {
  stopPreview()
  const leaving = new AbortController()
  const audio = new Audio()
  let url: string | undefined
  stopNow = () => {
    leaving.abort()
    audio.pause()
    if (url) URL.revokeObjectURL(url)
  }
  setState({ key, isPlaying: false })
  try {
    const saying = typeof source === 'function' ? await source() : source
    if (leaving.signal.aborted) return
    if (!saying) throw new Error(noVoice)
    const sound = await fetchAudio(saying, leaving.signal)
    if (leaving.signal.aborted) return
    const bytes = fixWavLengths(new Uint8Array(await sound.arrayBuffer()))
    if (leaving.signal.aborted) return
    url = URL.createObjectURL(new Blob([bytes], { type: sound.type }))
    audio.src = url
    await new Promise<void>((resolve, reject) => {
      leaving.signal.addEventListener('abort', () => resolve())
      audio.onended = () => resolve()
      audio.onerror = () => reject(new Error(audio.error?.message))
      audio.play().then(() => leaving.signal.aborted || setState({ key, isPlaying: true }), reject)
    })
  } catch (error) {
    if (!leaving.signal.aborted) throw error
  } finally {
    if (!leaving.signal.aborted) stopPreview()
  }
}

const samples = {
  provider_a: '/api/tts/provider_a/preview',
  provider_b: '/api/tts/provider_b/preview',
  provider_c: '/api/tts/provider_c/preview',
} as const

function fetchAudio(
  { provider, voiceId, text, speed, language, modelId }: PreviewRequest,
  signal: AbortSignal,
): Promise<Blob> {
  if (text && provider === 'provider_b')
    return unwrap(
      api.POST('/api/tts/provider_b/stream', {
        body: { text, voiceId, speed: speed ?? null },
        parseAs: 'blob',
        signal,
      }),
    )
  if (text && provider === 'provider_c') {
    const body = { text, voiceId, language: language ?? null, modelId: modelId ?? null }
    return unwrap(api.POST('/api/tts/provider_c/stream', { body, parseAs: 'blob', signal }))
  }
  return unwrap(api.GET(samples[provider], { params: { query: { voiceId } }, parseAs: 'blob', signal }))
}

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

export function useVoicePreview() {
  const t = useTexts(commonTexts)
  const { noVoice } = useTexts(hearTexts)
  const hearing = useSyncExternalStore(subscribe, () => now)
  const play = useCallback(
    (key: string, source: PreviewSource) =>
      playPreview(key, source, noVoice).catch((error) => {
        const message = error instanceof TypeError ? t.offline : (errorMessage(error) ?? t.offline)
        notifications.show({ title: t.failed, message, color: 'red', autoClose: 10_000 })
      }),
    [t, noVoice],
  )
  return { hearing, play }
}

/** Stops the preview on unmount. */
export const useStopPreviewOnLeave = () => useEffect(() => stopPreview, [])

const hearTexts = texts(
  { hear: 'Ouvir', stop: 'Parar', noVoice: 'Este provedor não tem vozes.' },
  { hear: 'Listen', stop: 'Stop', noVoice: 'This provider has no voices.' },
  { hear: 'Escuchar', stop: 'Parar', noVoice: 'Este proveedor no tiene voces.' },
)

/** `name` is the voice's name, for screen readers. */
export function PreviewButton({
  id,
  name,
  saying,
  isBig,
}: {
  id: string
  name: string
  saying: PreviewSource
  isBig?: boolean
}) {
  const t = useTexts(hearTexts)
  const { hearing, play } = useVoicePreview()
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
        onClick={() => (isMine ? stopPreview() : void play(id, saying))}
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
