// A status label with a colored dot.
import { Badge } from '@mantine/core'

export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'off'

const colors: Readonly<Record<Tone, string>> = {
  good: 'var(--mantine-color-teal-6)',
  busy: 'var(--mantine-color-blue-5)',
  warn: 'var(--mantine-color-yellow-6)',
  bad: 'var(--mantine-color-red-6)',
  off: 'var(--mantine-color-gray-5)',
}

export function StatusBadge({ tone, word }: { tone: Tone; word: string }) {
  const point = (
    <span
      aria-hidden
      style={{ display: 'inline-block', width: 8, height: 8, borderRadius: 4, background: colors[tone] }}
    />
  )
  return (
    <Badge
      variant="default"
      tt="none"
      fw={500}
      size="lg"
      leftSection={point}
      data-tone={tone}
      // A long label wraps rather than being cut off.
      styles={{
        root: { height: 'auto', minHeight: 26, overflow: 'visible', textAlign: 'left' },
        label: { whiteSpace: 'normal', overflow: 'visible' },
      }}
    >
      {word}
    </Badge>
  )
}
