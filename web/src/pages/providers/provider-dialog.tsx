// Adds or edits an account: key, model from the vendor's list, prices, test, save.
import { Button, Collapse, Group, Modal, Stack, Switch, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import type { ProviderTest } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useIsAdmin } from '../../session.tsx'
import { PriceInputs } from './price-inputs.tsx'
import { KeyField, ModelField } from './provider-fields.tsx'
import {
  bodyOf,
  draftOf,
  errorsOf,
  type FormTarget,
  fieldsOf,
  type ProviderFields,
  staleWithProviders,
  type VendorName,
} from './provider-form.ts'
import { providerFormTexts } from './provider-form-texts.ts'
import { providersTexts } from './providers-texts.ts'
import { TestResult } from './test-result.tsx'
import { useVendorTitle } from './use-vendor-title.ts'
import { COMPATIBLE, vendorOf } from './vendors.ts'

export function ProviderDialog({ onClose, ...target }: FormTarget & { onClose: () => void }) {
  const t = useTexts(providersTexts)
  const f = useTexts(providerFormTexts)
  const c = useTexts(commonTexts)
  const isAdmin = useIsAdmin()
  const { kind, vendor, account } = target
  const { baseUrl: ownUrl } = vendorOf(kind, vendor)
  const title = useVendorTitle()(kind, vendor)
  const [fields, setFields] = useState(() => fieldsOf(target))
  const [isSubmitted, setSubmitted] = useState(false)
  const [isAdvanced, advanced] = useDisclosure(ownUrl === null || vendor === 'ollama' || account !== null)
  const saving = useAction()
  const testing = useAction()
  const [result, setResult] = useState<ProviderTest | null>(null)
  const [tested, setTested] = useState<ReadonlyMap<string, number>>(new Map())
  const errors = errorsOf(target, fields)
  const change = (patch: Partial<ProviderFields>) => {
    setFields((before) => ({ ...before, ...patch }))
    if (!('prices' in patch)) setResult(null)
  }
  const shown = isSubmitted ? errors : {}
  const isWrong = Object.keys(errors).length > 0

  async function test() {
    setSubmitted(true)
    if (isWrong) return focusFirstError()
    const model = fields.model.trim()
    const body = { ...draftOf(target, fields), ...(model === '' ? {} : { model }) }
    const task = async () => {
      const tried = await unwrap(api.POST('/api/providers/draft/test', { body }))
      setResult(tried)
      const { firstMs } = tried
      if (tried.isOk && firstMs !== null) setTested((before) => new Map(before).set(model, firstMs))
    }
    await testing.run(task, { verb: 'test' })
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (isWrong) return focusFirstError()
    const name = fields.name.trim() || (account ? '' : title)
    const body = bodyOf(target, { ...fields, name }, isAdmin)
    const task = () =>
      account
        ? unwrap(api.PATCH('/api/providers/{id}', { params: { path: { id: account.id } }, body }))
        : unwrap(api.POST('/api/providers', { body: { ...body, kind, vendor: vendor as VendorName } }))
    if (await saving.run(task, { success: f.saved, stale: staleWithProviders })) onClose()
  }

  const part = { target, fields, change, errors: shown }
  return (
    <Modal
      opened
      onClose={onClose}
      title={account ? account.name : vendor === COMPATIBLE ? f.newCompatible : f.newTitle(title)}
      size="lg"
      closeButtonProps={{ 'aria-label': c.close }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <KeyField {...part} />
          {(ownUrl === null || isAdvanced) && (
            <TextInput
              label={f.baseUrl}
              description={ownUrl === null ? (vendor === 'azure' ? f.baseUrlAzure : f.baseUrlHint) : undefined}
              placeholder={ownUrl ?? undefined}
              required={ownUrl === null}
              type="url"
              value={fields.baseUrl}
              onChange={(event) => change({ baseUrl: event.currentTarget.value })}
              error={shown.baseUrl && (shown.baseUrl === 'missing' ? f.baseUrlMissing : f.baseUrlWrong)}
            />
          )}
          <ModelField {...part} tested={tested} />
          <Collapse expanded={isAdvanced}>
            <PriceInputs kind={kind} fields={fields.prices} onChange={(prices) => change({ prices })} />
            <TextInput
              mt="md"
              label={f.name}
              placeholder={title}
              maxLength={100}
              value={fields.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
          </Collapse>
          {kind !== 'tts' && (
            <Switch
              label={f.isDefault}
              checked={fields.isDefault}
              onChange={(event) => change({ isDefault: event.currentTarget.checked })}
            />
          )}
          {isAdmin && (
            <Switch
              label={f.isShared}
              description={f.isSharedHint}
              checked={fields.isShared}
              onChange={(event) => change({ isShared: event.currentTarget.checked })}
            />
          )}
          {!isAdvanced && (
            <Button variant="subtle" color="gray" size="compact-sm" w="fit-content" onClick={advanced.open}>
              {f.advanced}
            </Button>
          )}
          {result && <TestResult kind={kind} result={result} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c.cancel}
            </Button>
            <Button variant="light" loading={testing.isPending} onClick={() => void test()}>
              {t.test}
            </Button>
            <Button type="submit" loading={saving.isPending}>
              {c.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
