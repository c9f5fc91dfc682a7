// The logo.
import { Group, Text } from '@mantine/core'

export function Logo({ size = 28 }: { size?: number }) {
  return (
    <Group gap={10} wrap="nowrap">
      <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#0b7a68" />
        <path d="M8 19v-6M13 23V9M18 20v-8M23 17.5v-3" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
      </svg>
      <Text fw={700} size="lg" lts={-0.3}>
        Ramal
      </Text>
    </Group>
  )
}
