// A language-model server found on this machine: one click adds it as an account and tests it.
import { Alert, Button, Group, Select, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconServer } from '@tabler/icons-react'
import { useState } from 'react'
import type { LocalServer } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { useAction } from '../../components/use-action.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { staleWithProviders } from './provider-form.ts'
import { providersTexts } from './providers-texts.ts'

export function FoundServer({ server: { vendor, name, baseUrl, models } }: { server: LocalServer }) {
  const t = useTexts(providersTexts)
  const { locale } = useLanguage()
  const { isPending, run } = useAction()
  const [model, setModel] = useState(models[0] ?? '')
  async function use() {
    const body = { vendor: vendor as 'ollama' | 'openai-compatible', name, baseUrl, model, isDefault: true }
    await run(
      async () => {
        const { id } = await unwrap(api.POST('/api/providers', { body }))
        const result = await unwrap(api.POST('/api/providers/{id}/test', { params: { path: { id } } }))
        if (result.isOk)
          notifications.show({
            message: t.foundAdded(name, (result.firstMs ?? 0).toLocaleString(locale)),
            color: 'ramal',
          })
        else
          notifications.show({
            title: t.foundFailed(name),
            message: t.problems[result.problem ?? 'failed'],
            color: 'red',
            autoClose: 10_000,
          })
      },
      { stale: staleWithProviders },
    )
  }
  return (
    <Alert variant="light" icon={<IconServer size={18} aria-hidden />} role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 200px">
          {t.found(name, models.length)}
        </Text>
        <Group gap="xs">
          {models.length > 1 && (
            <Select
              size="xs"
              aria-label={t.foundModel}
              allowDeselect={false}
              searchable
              data={models}
              value={model}
              onChange={(value) => setModel(value ?? '')}
            />
          )}
          <Button size="xs" loading={isPending} onClick={() => void use()}>
            {t.foundUse(name)}
          </Button>
        </Group>
      </Group>
    </Alert>
  )
}
