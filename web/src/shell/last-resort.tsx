// Shown when even the page frame fails to render. It depends on nothing that may have failed.
import { firstLanguage } from '../i18n/language.ts'
import { LoadError, UpdatedError } from '../load-retry.ts'
import { crashTexts } from './crash-texts.ts'

export function LastResort({ error }: { error: unknown }) {
  const t = crashTexts[firstLanguage()]
  const isUpdated = error instanceof UpdatedError
  const isLoad = error instanceof LoadError
  return (
    <main className="last-resort" role="alert">
      <h1>{isUpdated ? t.updatedTitle : isLoad ? t.loadTitle : t.crashTitle}</h1>
      <p>{isUpdated ? t.updatedText : isLoad ? t.loadText : t.crashText}</p>
      <button type="button" onClick={() => location.reload()}>
        {t.reload}
      </button>
    </main>
  )
}
