// Shown on plain HTTP outside localhost, where browsers block the microphone: explains how to set up HTTPS.
import { Alert, Code, List, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useTexts } from '../../i18n/language-provider.tsx'
import { talkTexts } from './talk-texts.ts'

export function NoMicrophone() {
  const t = useTexts(talkTexts)
  const marked = (text: string) =>
    text.split(/(TLS_CERT|TLS_KEY|TRUST_PROXY)/).map((part, i) => (i % 2 === 1 ? <Code key={part}>{part}</Code> : part))
  return (
    <Alert color="yellow" icon={<IconLock aria-hidden />} title={t.insecureTitle}>
      <Text size="sm">{t.insecureText}</Text>
      <List size="sm" my={6}>
        <List.Item>{marked(t.insecureTls)}</List.Item>
        <List.Item>{marked(t.insecureProxy)}</List.Item>
      </List>
      <Text size="sm">{t.insecureWrite}</Text>
    </Alert>
  )
}
