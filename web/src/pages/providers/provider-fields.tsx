// The key of an account, and its model from the vendor's list with known prices and latencies.
import { Anchor, Autocomplete, Button, Group, Loader, PasswordInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { api, errorMessage, queries, unwrap } from '../../api.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { knownFigures, priceText } from './price.ts'
import { canListModels, draftOf, type FieldErrors, type FormTarget, type ProviderFields } from './provider-form.ts'
import { providerFormTexts } from './provider-form-texts.ts'
import { providersTexts } from './providers-texts.ts'
import { vendorOf } from './vendors.ts'

type FieldProps = {
  target: FormTarget
  fields: ProviderFields
  change: (patch: Partial<ProviderFields>) => void
  errors: FieldErrors
}

export function KeyField({ target: { kind, vendor, account }, fields, change, errors }: FieldProps) {
  const f = useTexts(providerFormTexts)
  const c = useTexts(commonTexts)
  const { needsKey, keysAt, title } = vendorOf(kind, vendor)
  const messages: Readonly<Record<string, string>> = { missing: f.apiKeyMissing, keyAgain: f.apiKeyAgain }
  const kept = account?.hasKey ? f.apiKeyKept(account.keyHint ?? '…') : null
  const get = keysAt && (
    <Anchor href={keysAt} target="_blank" rel="noreferrer" size="xs">
      {f.apiKeyGet(title)}
    </Anchor>
  )
  return (
    <PasswordInput
      label={needsKey ? f.apiKey : `${f.apiKey} (${c.optional})`}
      description={kept ?? get}
      required={needsKey && !kept}
      autoComplete="off"
      data-1p-ignore
      data-autofocus
      maxLength={1000}
      value={fields.apiKey}
      onChange={(event) => change({ apiKey: event.currentTarget.value })}
      error={errors.apiKey && messages[errors.apiKey]}
      visibilityToggleButtonProps={{ 'aria-label': c.showPassword }}
    />
  )
}

/** Suggests the vendor's models; any other name can be typed. */
export function ModelField({
  target,
  fields,
  change,
  errors,
  tested,
}: FieldProps & { tested: ReadonlyMap<string, number> }) {
  const t = useTexts(providersTexts)
  const { locale } = useLanguage()
  const { data: accounts = [] } = queries.useQuery('get', '/api/providers')
  const f = useTexts(providerFormTexts)
  const c = useTexts(commonTexts)
  const [isPending, setPending] = useState(false)
  // Shown under the field: a toast could appear after the user has moved on.
  const [problem, setProblem] = useState<string | null>(null)
  const { kind, vendor } = target
  const [models, setModels] = useState<readonly string[]>([])
  const [readFor, setReadFor] = useState<string | null>(null)
  const draft = draftOf(target, fields)
  const canList = canListModels(target, fields)
  const usual = vendorOf(kind, vendor).model
  const list = async () => {
    const asked = JSON.stringify(draft)
    if (!canList || isPending || readFor === asked) return
    setReadFor(asked)
    setPending(true)
    setProblem(null)
    try {
      const listed = await unwrap(api.POST('/api/providers/draft/models', { body: draft }))
      setModels(listed.map(({ id }) => id))
    } catch (error) {
      const why = error instanceof TypeError ? c.offline : (errorMessage(error) ?? c.offline)
      setProblem(`${f.listFailed}: ${why}`)
    } finally {
      setPending(false)
    }
  }
  if (usual === '') return null
  const figures = knownFigures(accounts, { kind, vendor, tested })
  const figuresOf = (model: string) => {
    const known = figures.get(model)
    const ms = known?.firstMs == null ? null : `${known.firstMs.toLocaleString(locale)} ms`
    return [ms, priceText(kind, known?.prices, { locale, words: t.price })].filter(Boolean).join(' · ')
  }
  const state = isPending ? f.listing : models.length > 0 ? f.listed(models.length) : null
  return (
    <Stack gap={4}>
      <Autocomplete
        label={f.model}
        description={f.modelHint[kind]}
        {...(usual === null ? { required: true } : { placeholder: usual })}
        maxLength={200}
        limit={100}
        data={[...new Set(models)]}
        value={fields.model}
        onFocus={() => void list()}
        onChange={(model) => change({ model })}
        rightSection={isPending ? <Loader size="xs" /> : undefined}
        renderOption={({ option }) => (
          <Group justify="space-between" gap="xs" w="100%">
            <span style={{ overflowWrap: 'anywhere' }}>{option.value}</span>
            <Text span size="xs" c="dimmed">
              {figuresOf(option.value)}
            </Text>
          </Group>
        )}
        error={errors.model && f.modelMissing}
      />
      {problem && (
        <Text size="xs" c="var(--mantine-color-error)" role="status">
          {problem}
        </Text>
      )}
      <Group gap="xs">
        {state && (
          <Text size="xs" c="dimmed" role="status">
            {state}
          </Text>
        )}
        {!state && (
          <Button
            variant="subtle"
            size="compact-xs"
            disabled={!canList}
            onClick={() => {
              setReadFor(null)
              void list()
            }}
          >
            {f.list}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
