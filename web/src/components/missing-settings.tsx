// Settings that the operator must provide before something works, as .env lines to copy.
import { Alert, Button, Code, CopyButton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { commonTexts } from '../i18n/common-texts.ts'
import { useTexts } from '../i18n/language-provider.tsx'

type Props = {
  title: string
  text: string
  lines: readonly string[]
  hint: string
  children?: ReactNode
}

export function MissingSettings({ title, text, lines, hint, children }: Props) {
  const c = useTexts(commonTexts)
  const copied = lines.join('\n')
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
      // On a phone the box is narrower than its longest line.
      styles={{ body: { minWidth: 0 }, label: { overflow: 'visible', whiteSpace: 'normal' } }}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        <Code block fz="sm" maw="100%" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {copied}
        </Code>
        <CopyButton value={copied}>
          {({ copied: isCopied, copy }) => (
            <Button
              size="xs"
              variant="default"
              leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={copy}
            >
              {isCopied ? c.copied : c.copy}
            </Button>
          )}
        </CopyButton>
        <Text size="sm">{hint}</Text>
        {children}
      </Stack>
    </Alert>
  )
}
