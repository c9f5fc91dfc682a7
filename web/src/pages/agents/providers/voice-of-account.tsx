// On the voice tab: says that the agent's voice comes from a provider account.
import { Alert } from '@mantine/core'
import { queries } from '../../../api.ts'
import { useTexts } from '../../../i18n/language-provider.tsx'
import { chainTexts } from './chain-texts.ts'

export function VoiceOfAccount({ id }: { id: string }) {
  const t = useTexts(chainTexts)
  const { data: accounts = [] } = queries.useQuery('get', '/api/providers')
  const account = accounts.find((one) => one.kind === 'tts' && one.id === id)
  return (
    <Alert variant="light" p="xs">
      {t.voiceOfAccount(account?.name ?? id)}
    </Alert>
  )
}
