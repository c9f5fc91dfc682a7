// A secret that is shown only once; nothing but its button closes the dialog.
import { Alert, Button, Code, CopyButton, Group, Modal, Stack } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'

export function SecretOnce({
  title,
  secret,
  warning,
  doneLabel,
  onClose,
  children,
}: {
  title: string
  secret: string | null
  warning: string
  doneLabel: string
  onClose: () => void
  children?: ReactNode
}) {
  const t = useTexts(commonTexts)
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={title}
      size="lg"
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
          {warning}
        </Alert>
        <Code block fz="md" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} data-secret>
          {secret}
        </Code>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {doneLabel}
          </Button>
          <CopyButton value={secret ?? ''}>
            {({ copied, copy }) => (
              <Button
                onClick={copy}
                leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              >
                {copied ? t.copied : t.copy}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Modal>
  )
}
