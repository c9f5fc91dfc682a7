// What the library's styles rest on; those of a component come with it (see web/library-styles.ts). They stand in a layer,
// so that a rule of ours wins wherever it is loaded.
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'

// While the page is being worked on the library is one file, and so are its styles.
if (import.meta.env.DEV) {
  void import('@mantine/core/styles.layer.css')
  void import('@mantine/notifications/styles.layer.css')
}
