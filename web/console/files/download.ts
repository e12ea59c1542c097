/** Saves a file made in the page. */
export function download(name: string, content: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The browser reads it after the click; a minute is long enough for any disk.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
