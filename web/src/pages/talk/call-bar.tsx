// Call controls for a narrow panel: one row, to leave room for the transcript.
import { ActionIcon, Avatar, Box, Collapse, Group, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDialpad, IconMicrophone, IconMicrophoneOff, IconPhoneOff } from '@tabler/icons-react'
import { useTexts } from '../../i18n/language-provider.tsx'
import { type CallControlProps, Clock, Keypad, Meter, RoundButton } from './call-control.tsx'
import { talkTexts } from './talk-texts.ts'

type Props = Omit<CallControlProps, 'onStart' | 'isOff' | 'isCompact' | 'children'>

export function CallBar({ agentName, state, isMuted, levels, onHangUp, onMute, onDigit }: Props) {
  const t = useTexts(talkTexts)
  const [isKeypad, keypad] = useDisclosure(false)
  const isTalking = state.phase === 'talking'
  return (
    <section aria-label={agentName} ref={levels}>
      <Group gap="xs" wrap="nowrap">
        <Avatar name={agentName} color="ramal" size={32} aria-hidden />
        <Box flex={1} miw={0}>
          <Text size="xs" c="dimmed" role="status" truncate>
            {isMuted ? t.muted : isTalking ? t.talking : t.connecting}
          </Text>
          {state.startedAt !== null && <Clock state={state} />}
        </Box>
        <RoundButton
          name={isMuted ? t.unmute : t.mute}
          isPressed={isMuted}
          onClick={() => onMute(!isMuted)}
          icon={isMuted ? <IconMicrophoneOff size={18} /> : <IconMicrophone size={18} />}
          size={36}
        />
        <RoundButton
          name={t.keypad}
          isPressed={isKeypad}
          onClick={keypad.toggle}
          icon={<IconDialpad size={18} />}
          size={36}
        />
        <Tooltip label={t.hangUp}>
          <ActionIcon size={36} radius="xl" color="red" variant="filled" aria-label={t.hangUp} onClick={onHangUp}>
            <IconPhoneOff size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
      <Collapse expanded={isKeypad}>
        <Keypad onDigit={onDigit} isOff={!isTalking} />
      </Collapse>
      <Meter name={t.you} side="caller" />
      <Meter name={agentName} side="agent" />
    </section>
  )
}
