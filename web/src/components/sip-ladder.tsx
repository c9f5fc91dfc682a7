// A call's SIP messages as a ladder diagram, and as text.
import { Box, Code, Collapse, ScrollArea, Spoiler, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useId, useState } from 'react'
import type { SipEntry } from '../../../client/paths.ts'
import { useTexts } from '../i18n/language-provider.tsx'
import styles from './sip-ladder.module.css'
import { layOutLadder, type Rung, shortLabel } from './sip-ladder-layout.ts'
import { sipLadderTexts } from './sip-ladder-texts.ts'

const SIDE_PX = 190

/** `text` is the ladder as rendered by the API. */
export function SipLadder({ entries, text }: { entries: readonly SipEntry[]; text: string }) {
  const t = useTexts(sipLadderTexts)
  const { sides, rungs } = layOutLadder(entries)
  if (rungs.length === 0)
    return (
      <Text c="dimmed" size="sm">
        {t.none}
      </Text>
    )
  const place = (column: number) => `${(column / sides.length) * 100}%`
  const posts = ['0', ...sides.map((_, i) => `calc(${place(i + 1)} - 1px)`)]
  return (
    <Stack gap="md">
      <ScrollArea
        type="auto"
        offsetScrollbars="x"
        viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t.title }}
      >
        <div style={{ minWidth: 100 + sides.length * SIDE_PX, paddingRight: 4 }}>
          <div className={styles.line} aria-hidden>
            <span />
            <span className={styles.lane} style={{ height: 24 }}>
              {['Ramal', ...sides].map((side, column) => (
                <span key={side} className={styles.side} style={{ left: place(column) }}>
                  {side ?? t.others}
                </span>
              ))}
            </span>
          </div>
          <ol className={styles.rungs}>
            {rungs.map((rung, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id and never change their order
              <RungLine key={i} rung={rung} posts={posts} place={place} />
            ))}
          </ol>
        </div>
      </ScrollArea>
      <Spoiler maxHeight={0} showLabel={t.asText} hideLabel={t.asText} styles={{ control: { fontSize: 14 } }}>
        <ScrollArea type="auto" mt="xs" viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': t.asText }}>
          <Code block fz={11} style={{ whiteSpace: 'pre', minWidth: 'max-content' }}>
            {text}
          </Code>
        </ScrollArea>
      </Spoiler>
    </Stack>
  )
}

function RungLine({ rung, posts, place }: { rung: Rung; posts: readonly string[]; place: (column: number) => string }) {
  const t = useTexts(sipLadderTexts)
  const id = useId()
  const [isOpen, open] = useState(false)
  const { entry, from, to, tone } = rung
  const [left, right] = [Math.min(from, to), Math.max(from, to)]
  const across = { left: place(left), width: place(right - left) }
  const way = entry.direction === 'out' ? t.out(entry.remote) : t.in(entry.remote)
  return (
    <li className={styles.rung}>
      <UnstyledButton
        className={styles.line}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => open(!isOpen)}
        title={entry.summary}
      >
        <Text size="xs" c="dimmed" className="numbers" ta="right">
          +{(rung.sinceFirstMs / 1000).toFixed(3)} s
        </Text>
        <span className={`${styles.lane} ${styles[tone]}`} aria-hidden>
          {posts.map((left) => (
            <span key={left} className={styles.post} style={{ left }} />
          ))}
          <span className={styles.label} style={across}>
            {shortLabel(entry.summary)}
          </span>
          <span className={`${styles.arrow} ${to > from ? styles.right : styles.left}`} style={across} />
        </span>
        <VisuallyHidden>
          {entry.summary}, {way}, {t.tone[tone]}
        </VisuallyHidden>
      </UnstyledButton>
      <Collapse expanded={isOpen} id={id}>
        <Box p="xs">
          <Text size="xs" c="dimmed" mb={4}>
            {way} · {entry.transport.toUpperCase()} · {entry.at}
          </Text>
          <Code block fz={11} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {entry.message}
          </Code>
        </Box>
      </Collapse>
    </li>
  )
}
