// The recording player: two waveforms (caller and agent) and controls.
import { ActionIcon, Anchor, Box, Group, Paper, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core'
import {
  IconDownload,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconRewindBackward10,
  IconRewindForward10,
} from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import WaveSurfer from 'wavesurfer.js'
import { formatDuration } from '../../components/date-time.tsx'
import { transcriptTexts } from '../../components/transcript-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { callTexts } from './call-texts.ts'
import { useWaveform } from './use-waveform.ts'

const HEIGHT = 56
const STEP_SECONDS = 10
const SPEEDS = ['1', '1.5', '2']

const colors = { caller: ['#7fb5e8', '#1c7ed6'], agent: ['#7fccbb', '#0b8a74'] } as const

export type Player = { playFrom(ms: number): void }

type Props = {
  url: string
  /** Called with the position during playback and on seek. */
  onPlace: (ms: number) => void
  player: RefObject<Player | null>
}

export function Recording({ url, onPlace, player }: Props) {
  const t = useTexts(callTexts)
  const sides = useTexts(transcriptTexts)
  const audio = useRef<HTMLAudioElement>(null)
  const [seconds, setSeconds] = useState(0)
  const [length, setLength] = useState<number | null>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState('1')

  useEffect(() => {
    player.current = {
      playFrom(ms) {
        if (!audio.current) return
        audio.current.currentTime = ms / 1000
        void audio.current.play()
      },
    }
    return () => {
      player.current = null
    }
  }, [player])
  // The metadata may have loaded before the handler was attached: read the duration once.
  useEffect(() => {
    const element = audio.current
    if (element && element.readyState >= element.HAVE_METADATA) setLength(element.duration)
  }, [])
  // `timeupdate` fires only about four times a second, too rarely for highlighting lines.
  useEffect(() => {
    if (!isPlaying) return
    let frame = requestAnimationFrame(function look() {
      const at = audio.current?.currentTime ?? 0
      setSeconds(at)
      onPlace(at * 1000)
      frame = requestAnimationFrame(look)
    })
    return () => cancelAnimationFrame(frame)
  }, [isPlaying, onPlace])

  const reportPosition = () => {
    const at = audio.current?.currentTime ?? 0
    setSeconds(at)
    onPlace(at * 1000)
  }
  const jump = (by: number) => {
    if (audio.current) audio.current.currentTime = Math.max(0, audio.current.currentTime + by)
  }
  const toggle = () => {
    if (!audio.current) return
    if (audio.current.paused) void audio.current.play()
    else audio.current.pause()
  }
  return (
    <Paper withBorder p="lg" component="section" aria-label={t.recording}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {t.recording}
          </Title>
          <Group gap="md">
            <Side name={sides.caller} color={colors.caller[1]} />
            <Side name={sides.agent} color={colors.agent[1]} />
          </Group>
        </Group>
        {/* biome-ignore lint/a11y/useMediaCaption: the transcript stands below it */}
        <audio
          ref={audio}
          src={url}
          preload="metadata"
          onPlay={() => setPlaying(true)}
          onPause={() => setPlaying(false)}
          onTimeUpdate={reportPosition}
          onSeeked={reportPosition}
          onLoadedMetadata={(event) => setLength(event.currentTarget.duration)}
        />
        <Waveform url={url} audio={audio} />
        <Group justify="space-between" wrap="wrap">
          <Group gap="xs">
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t.back} onClick={() => jump(-STEP_SECONDS)}>
              <IconRewindBackward10 size={20} aria-hidden />
            </ActionIcon>
            <ActionIcon size={44} radius="xl" aria-label={isPlaying ? t.pause : t.play} onClick={toggle}>
              {isPlaying ? <IconPlayerPauseFilled size={20} /> : <IconPlayerPlayFilled size={20} />}
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t.forward}
              onClick={() => jump(STEP_SECONDS)}
            >
              <IconRewindForward10 size={20} aria-hidden />
            </ActionIcon>
            <Text size="sm" className="numbers" ml="xs">
              {formatDuration(Math.floor(seconds))} / {formatDuration(length)}
            </Text>
          </Group>
          <Group gap="md">
            <SegmentedControl
              size="xs"
              aria-label={t.speed}
              value={speed}
              data={SPEEDS.map((value) => ({ value, label: `${value}×` }))}
              onChange={(value) => {
                setSpeed(value)
                if (audio.current) audio.current.playbackRate = Number(value)
              }}
            />
            <Anchor href={url} download size="sm">
              <Group gap={4} component="span" display="inline-flex">
                <IconDownload size={16} aria-hidden />
                {t.download}
              </Group>
            </Anchor>
          </Group>
        </Group>
      </Stack>
    </Paper>
  )
}

const Side = ({ name, color }: { name: string; color: string }) => (
  <Group gap={6}>
    <Box w={10} h={10} bg={color} style={{ borderRadius: 3 }} aria-hidden />
    <Text size="xs">{name}</Text>
  </Group>
)

/** Renders precomputed peaks; the audio element loads the file itself. */
function Waveform({ url, audio }: { url: string; audio: RefObject<HTMLAudioElement | null> }) {
  const t = useTexts(callTexts)
  const box = useRef<HTMLDivElement>(null)
  const { peaks, isDone } = useWaveform(url)
  useEffect(() => {
    if (!box.current || !audio.current || !peaks) return
    const channel = (name: keyof typeof colors) => ({ waveColor: colors[name][0], progressColor: colors[name][1] })
    const surfer = WaveSurfer.create({
      container: box.current,
      media: audio.current,
      peaks: peaks.channels,
      duration: peaks.durationSeconds,
      height: HEIGHT,
      barWidth: 2,
      barGap: 1,
      barRadius: 2,
      normalize: true,
      cursorColor: '#868e96',
      dragToSeek: true,
      ...(peaks.channels.length === 2 ? { splitChannels: [channel('caller'), channel('agent')] } : channel('caller')),
      cspNonce: document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '',
    })
    return () => surfer.destroy()
  }, [peaks, audio])
  if (isDone && !peaks) return null
  return (
    <Box pos="relative" mih={HEIGHT * 2}>
      {!peaks && <Skeleton height={HEIGHT * 2} aria-label={t.waveformLoading} role="status" />}
      <Box ref={box} aria-hidden />
    </Box>
  )
}
