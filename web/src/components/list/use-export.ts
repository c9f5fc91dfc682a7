// The export of a list, with its progress in a toast.
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useAction } from '../use-action.tsx'
import { type CsvColumn, exportCsv, MAX_ROWS } from './export-csv.ts'
import { listTexts } from './list-texts.ts'
import type { ListColumn } from './list-types.ts'

type Exported<T> = Pick<ListColumn<T>, 'name' | 'csv' | 'isTime'>

export function useExport<T>(list: string, columns: readonly Exported<T>[]) {
  const t = useTexts(listTexts)
  const c = useTexts(commonTexts)
  const { language, locale } = useLanguage()
  const { run } = useAction()
  const [isExporting, setExporting] = useState(false)
  const exported = columns.filter((column): column is Exported<T> & CsvColumn<T> => column.csv !== undefined)
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

  async function start(pagesOf: (signal: AbortSignal) => AsyncGenerator<readonly T[]>): Promise<void> {
    const id = `export-${list}`
    const stopping = new AbortController()
    const say = (message: string) => ({ id, message, color: 'ramal', autoClose: false as const })
    setExporting(true)
    notifications.show({
      ...say(t.exporting('0')),
      loading: true,
      // Closing the toast stops the export.
      onClose: () => stopping.abort(),
      closeButtonProps: { 'aria-label': c.cancel },
    })
    const isDone = await run(async () => {
      const { rows, isCut } = await exportCsv({
        list,
        language,
        pages: pagesOf(stopping.signal),
        // A local time without its zone is useless to readers of the file.
        columns: exported.map(({ name, csv, isTime }) => ({ csv, name: isTime ? `${name} (${zone})` : name })),
        onProgress: (n) => notifications.update({ ...say(t.exporting(n.toLocaleString(locale))), loading: true }),
      })
      const message = isCut ? t.exportLimit(MAX_ROWS.toLocaleString(locale)) : t.exported(rows.toLocaleString(locale))
      notifications.update({ ...say(message), loading: false, autoClose: isCut ? 15_000 : 5000, onClose: () => {} })
    })
    if (!isDone) notifications.hide(id)
    setExporting(false)
  }
  return { isExporting, start }
}
