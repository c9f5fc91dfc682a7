// Uploads into imported lists and their results, shown on both tabs until dismissed.
import { Anchor, Stack, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link } from 'wouter'
import type { SuppressionImport, SuppressionList } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { UploadCard } from '../../components/upload-card.tsx'
import { uploadStore } from '../../components/uploads.ts'
import { useUploads } from '../../components/use-uploads.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { fileTypeOf } from './list-draft.ts'
import { LISTS, OWN } from './suppression-tabs.tsx'
import { suppressionsTexts } from './suppressions-texts.ts'

export const staleLists = ['/api/suppression-lists', '/api/suppressions']

const store = uploadStore<SuppressionImport>()

export function useListUploads() {
  const t = useTexts(suppressionsTexts)
  const { uploads, send } = useUploads(store, staleLists)
  return {
    uploads,
    /** If the user has moved on to another page, a toast reports the result there. */
    async send({ id, name }: SuppressionList, file: File, defaultCountry: string): Promise<void> {
      const sent = await send({ target: id, name, file: file.name }, () => put(id, file, defaultCountry))
      if (location.pathname.startsWith(OWN)) return
      if (sent) notifications.show({ message: t.ended(name), color: 'ramal' })
      else notifications.show({ message: t.interrupted(name), color: 'red', autoClose: false })
    },
  }
}

const put = (id: string, file: File, defaultCountry: string): Promise<SuppressionImport> =>
  unwrap(
    api.PUT('/api/suppression-lists/{id}/content', {
      params: { path: { id }, query: { defaultCountry } },
      headers: { 'content-type': fileTypeOf(file.name) ?? '' },
      body: file as never,
      bodySerializer: (body: unknown) => body as never,
    }),
  )

export function ListUploads() {
  const t = useTexts(suppressionsTexts)
  const { uploads } = useListUploads()
  return uploads.map((upload) => (
    <UploadCard
      key={upload.id}
      upload={upload}
      store={store}
      cutOff={t.cutOff}
      done={(result) => <Result result={result} />}
    />
  ))
}

function Result({ result: { list, rows, added, duplicates, rejected, withoutNumber } }: { result: SuppressionImport }) {
  const t = useTexts(suppressionsTexts)
  const { locale } = useLanguage()
  const figures = { rows, added, duplicates, withoutNumber, invalid: rejected - withoutNumber }
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{t.resultTitle}</Text>
      <Table maw={420}>
        <Table.Tbody>
          {(['rows', 'added', 'duplicates', 'withoutNumber', 'invalid'] as const).map((key) => (
            <Table.Tr key={key}>
              <Table.Th scope="row" fw={400}>
                {t.result[key]}
              </Table.Th>
              <Table.Td ta="right" className="numbers">
                {figures[key].toLocaleString(locale)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Anchor component={Link} href={`${LISTS}/${list.id}`} size="sm">
        {t.seeNumbers}
      </Anchor>
    </Stack>
  )
}
