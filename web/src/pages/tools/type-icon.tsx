// Icons of the tool types.
import { ThemeIcon } from '@mantine/core'
import {
  IconApi,
  IconBook2,
  IconBrandSlack,
  IconCalendar,
  IconDialpad,
  IconMessage,
  IconPhoneOff,
  IconPhoneOutgoing,
  IconPlugConnected,
  IconServer,
  IconTable,
} from '@tabler/icons-react'
import type { ToolType } from './tool-types.ts'

const icons = {
  api_request: IconApi,
  custom: IconServer,
  mcp: IconPlugConnected,
  query: IconBook2,
  calendar: IconCalendar,
  spreadsheet: IconTable,
  send_text: IconMessage,
  chat_workspace: IconBrandSlack,
  transfer_call: IconPhoneOutgoing,
  end_call: IconPhoneOff,
  dtmf: IconDialpad,
} as const satisfies Record<ToolType, unknown>

export function TypeIcon({ type, size = 36 }: { type: ToolType; size?: number }) {
  const Icon = icons[type]
  return (
    <ThemeIcon variant="light" size={size} radius="md" aria-hidden>
      <Icon size={size * 0.55} stroke={1.7} aria-hidden />
    </ThemeIcon>
  )
}
