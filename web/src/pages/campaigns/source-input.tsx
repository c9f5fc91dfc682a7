// Selects the contact list: a dropped or picked file, or one of the user's spreadsheets.
import { Button, FileButton, Group, Select, Stack, Text } from '@mantine/core'
import { IconFileSpreadsheet, IconUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { queries } from '../../api.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { accepted, fileTypeOf } from '../spreadsheets/sheet-cells.ts'
import classes from './campaign.module.css'
import { guessPhoneColumn, readHead } from './list-head.ts'
import type { ListSource } from './list-source.ts'
import { wizardTexts } from './wizard-texts.ts'

const sizeText = (bytes: number, locale: string) =>
  bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000)).toLocaleString(locale)} kB`
    : `${(bytes / 1_000_000).toLocaleString(locale, { maximumFractionDigits: 1 })} MB`

export function SourceInput({
  source,
  onChange,
}: {
  source: ListSource | null
  onChange: (source: ListSource | null) => void
}) {
  const t = useTexts(wizardTexts)
  const { locale } = useLanguage()
  const sheets = queries.useQuery('get', '/api/spreadsheets')
  const [problem, setProblem] = useState<string | null>(null)
  const [isOver, setOver] = useState(false)

  async function take(file: File | null | undefined): Promise<void> {
    if (!file) return
    setProblem(null)
    const type = fileTypeOf(file.name)
    if (!type) return setProblem(t.wrongType(file.name))
    const head = type === 'text/csv' ? await readHead(file) : null
    if (type === 'text/csv' && !head) return setProblem(t.unreadable(file.name))
    onChange({ file, sheet: null, head, phoneColumn: head && guessPhoneColumn(head) })
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  const chooseSheet = (id: string | null) => {
    setProblem(null)
    const sheet = sheets.data?.find((one) => one.id === id) ?? null
    const head = sheet && { columns: sheet.columns, rows: [] }
    onChange(sheet && { file: null, sheet, head, phoneColumn: head && guessPhoneColumn(head) })
  }
  return (
    <Stack gap="sm">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is an addition to the button inside */}
      <div
        className={classes.drop}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {source?.file ? (
          <Group justify="center" gap="sm">
            <IconFileSpreadsheet size={20} aria-hidden />
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {t.chosen(source.file.name, sizeText(source.file.size, locale))}
            </Text>
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => onChange(null)}>
              {t.removeFile}
            </Button>
          </Group>
        ) : (
          <Group justify="center" gap="sm">
            <Text size="sm" c="dimmed">
              {t.drop}
            </Text>
            <FileButton accept={accepted} onChange={(file) => void take(file)}>
              {(props) => (
                <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
                  {t.choose}
                </Button>
              )}
            </FileButton>
          </Group>
        )}
      </div>
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
      {sheets.data && sheets.data.length > 0 && !source?.file && (
        <Select
          label={t.sheet}
          placeholder={t.sheetNone}
          clearable
          maw={420}
          data={sheets.data.map(({ id, name }) => ({ value: id, label: name }))}
          value={source?.sheet?.id ?? null}
          onChange={chooseSheet}
        />
      )}
    </Stack>
  )
}
