// A conversation transcript with tool calls; clicking a line plays it if there is a recording.
import { Badge, Loader, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconTool } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useLanguage, useTexts } from '../i18n/language-provider.tsx'
import { formatDuration } from './date-time.tsx'
import styles from './transcript.module.css'
import {
  type Entry,
  type Line,
  type LiveLine,
  type NoteLine,
  spokenWords,
  type ToolLineCall,
} from './transcript-lines.ts'
import { transcriptTexts } from './transcript-texts.ts'
import { useNow } from './use-now.ts'
import { useFormatMs } from './waterfall.tsx'

export const toolColor = {
  running: 'blue',
  done: 'teal',
  failed: 'red',
  in_doubt: 'yellow',
  refused: 'orange',
} as const

type Props = {
  entries: readonly Entry[]
  /** Screen readers announce new lines, and the last one stays in view. */
  isLive?: boolean
  height?: number | string
  /** The id of the line that is playing. */
  playingId?: string | null
  onPlay?: (line: Line) => void
  agentName?: string | undefined
  callerName?: string | undefined
  /** The reply while it is generated. */
  tail?: ReactNode
  /** Lines being spoken, in order. */
  live?: readonly LiveLine[]
  empty?: ReactNode
}

/** New lines scroll into view only if the reader is this close to the end. */
const NEAR_PX = 80

export function Transcript(props: Props) {
  const { entries, isLive = false, height, playingId, onPlay, tail, live = [], empty, ...names } = props
  const t = useTexts(transcriptTexts)
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const isAtEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new decides, not how it is shown
  useEffect(() => {
    if (isLive && isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [isLive, entries, tail, live])
  usePlayedLineInView(list, box, playingId)
  const onScroll = () => {
    const { scrollHeight, scrollTop, clientHeight } = box.current ?? { scrollHeight: 0, scrollTop: 0, clientHeight: 0 }
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PX
  }
  const lines = (
    <ol ref={list} className={styles.lines}>
      {entries.map((entry) =>
        entry.kind === 'line' ? (
          <LineView key={entry.id} line={entry} isPlaying={entry.id === playingId} onPlay={onPlay} {...names} />
        ) : (
          <li key={entry.id} className={`${styles.line} ${styles.tool}`}>
            {entry.kind === 'tool' ? <ToolChip call={entry.call} /> : <NoteChip note={entry} />}
          </li>
        ),
      )}
      {live.map((line) => (
        <LiveLineView key={line.who} line={line} {...names} />
      ))}
      {tail && <li className={styles.line}>{tail}</li>}
    </ol>
  )
  const content =
    entries.length === 0 && !tail && live.length === 0
      ? (empty ?? (
          <Text c="dimmed" size="sm" ta="center" py="xl">
            {t.empty}
          </Text>
        ))
      : lines
  // The live region must exist before its first line, or that line would not be announced.
  const shown = isLive ? (
    <div role="log" aria-live="polite" aria-relevant="additions" aria-label={t.title}>
      {content}
    </div>
  ) : (
    content
  )
  if (height === undefined) return shown
  return (
    <ScrollArea
      h={height}
      type="auto"
      offsetScrollbars="y"
      viewportRef={box}
      onScrollPositionChange={onScroll}
      viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t.title }}
    >
      {shown}
    </ScrollArea>
  )
}

/**
 * Follows the playback: inside the box, or on the page while the previous line is visible, so that a user reading
 * elsewhere is not interrupted.
 */
function usePlayedLineInView(
  list: RefObject<HTMLOListElement | null>,
  box: RefObject<HTMLDivElement | null>,
  playingId: string | null | undefined,
): void {
  const last = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!playingId) return
    const line = list.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(playingId)}"]`)
    if (!line) return
    if (box.current) scrollWithin(box.current, line)
    else if (isInView(last.current ?? line)) line.scrollIntoView({ block: 'nearest' })
    last.current = line
  }, [playingId, list, box])
}

function isInView(line: HTMLElement): boolean {
  const { top, bottom } = line.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}

/** Scrolls the box only, never the page. */
function scrollWithin(box: HTMLElement, line: HTMLElement): void {
  const [outer, inner] = [box.getBoundingClientRect(), line.getBoundingClientRect()]
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return
  box.scrollTo({ top: box.scrollTop + inner.top - outer.top - outer.height / 3, behavior: 'smooth' })
}

function LineView({
  line,
  isPlaying,
  onPlay,
  agentName,
  callerName,
}: {
  line: Line
  isPlaying: boolean
} & Pick<Props, 'agentName' | 'callerName'> & { onPlay: Props['onPlay'] | undefined }) {
  const t = useTexts(transcriptTexts)
  const { locale } = useLanguage()
  const ms = useFormatMs()
  const name = { agent: agentName, caller: callerName, system: undefined }[line.who] ?? t[line.who]
  const time =
    line.fromMs === null
      ? new Date(line.at).toLocaleTimeString(locale, { timeStyle: 'short' })
      : formatDuration(line.fromMs / 1000)
  const side = line.who === 'agent' ? '' : styles[line.who]
  return (
    <li
      className={`${styles.line} ${side} ${line.isOperator ? styles.operator : ''} ${isPlaying ? styles.heard : ''}`}
      data-line={line.id}
      aria-current={isPlaying ? 'true' : undefined}
    >
      <Text size="xs" c="dimmed" mb={2} px={4}>
        {name} · <span className="numbers">{time}</span>
        {line.isOperator && <span className={styles.author}> · {t.byOperator}</span>}
        {line.waitedMs !== null && ` · ${t.waited(ms(line.waitedMs))}`}
        {line.isCut && ` · ${t.cut}`}
      </Text>
      {onPlay && line.fromMs !== null ? (
        <UnstyledButton className={styles.bubble} onClick={() => onPlay(line)} title={t.playFrom(time)}>
          {line.text}
        </UnstyledButton>
      ) : (
        <span className={styles.bubble}>{line.text}</span>
      )}
    </li>
  )
}

/** Hidden from screen readers: they get the line once it is complete. */
function LiveLineView({ line, agentName, callerName }: { line: LiveLine } & Pick<Props, 'agentName' | 'callerName'>) {
  const t = useTexts(transcriptTexts)
  const now = useNow(120)
  const name = (line.who === 'agent' ? agentName : callerName) ?? t[line.who]
  const shown = spokenWords(line, now)
  if (shown === '') return null
  return (
    <li className={`${styles.line} ${styles[line.who]} ${styles.live}`} aria-hidden data-live={line.who}>
      <Text size="xs" c="dimmed" mb={2} px={4}>
        {name}
      </Text>
      <span className={`${styles.bubble} ${styles.waiting}`}>{shown}</span>
    </li>
  )
}

/** The reply while it streams. */
export function PendingReply({ text, name }: { text: string; name?: string | undefined }) {
  const t = useTexts(transcriptTexts)
  return (
    <>
      <Text size="xs" c="dimmed" mb={2} px={4}>
        {name ?? t.agent}
      </Text>
      <span className={`${styles.bubble} ${styles.waiting}`}>{text === '' ? t.thinking : text}</span>
    </>
  )
}

function NoteChip({ note }: { note: NoteLine }) {
  const Icon = note.isWarning ? IconAlertTriangle : IconCircleCheck
  return (
    <span className={`${styles.chip} ${note.isWarning ? styles.warning : ''}`}>
      <Icon size={15} aria-hidden style={{ flex: 'none' }} />
      <span>{note.text}</span>
    </span>
  )
}

function ToolChip({ call }: { call: ToolLineCall }) {
  const t = useTexts(transcriptTexts)
  return (
    <span className={styles.chip}>
      {call.status === 'running' ? <Loader size={14} aria-hidden /> : <IconTool size={15} aria-hidden />}
      <span>{call.name}</span>
      <Badge size="sm" variant="light" color={toolColor[call.status]}>
        {t.toolStatus[call.status]}
      </Badge>
    </span>
  )
}
