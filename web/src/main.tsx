// The entry point of the page.
import './styles.ts'
import './page.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App, preload } from './app.tsx'
import { watchBackNavigation } from './components/back-navigation.ts'
import { LanguageProvider } from './i18n/language-provider.tsx'
import { sessionQuery } from './session.tsx'
import { cssVariables, theme } from './theme.ts'

const client = new QueryClient({
  defaultOptions: { queries: { staleTime: 5000, retry: 1, refetchOnWindowFocus: true } },
})
const nonce = () => document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
// The scroll lock behind a modal writes a style element, and reads the nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce() })
watchBackNavigation()

function show(): void {
  const root = document.getElementById('root')
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={nonce}
      >
        <QueryClientProvider client={client}>
          <LanguageProvider>
            <App />
          </LanguageProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}

// A failure here happens again on render, and is shown there.
void client
  .fetchQuery(sessionQuery)
  .then((session) => preload(session, location.pathname))
  .then(show, show)
