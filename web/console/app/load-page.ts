/**
 * The router knows the browser's error for a script that did not come, and then loads the whole page anew. That helps if
 * the server has a newer version, whose files have other names. If it does not answer, the browser would show its own error
 * instead of the console, so the router gets an error that it does not know, and the page says what is wrong.
 */
export async function loadPage<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    throw (await hasNewerVersion()) ? error : new TypeError('A module of the page was not loaded', { cause: error })
  }
}

/** The names of scripts tell their contents, so a newer version begins with another one. */
async function hasNewerVersion(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module]')
  try {
    const reply = await fetch('/', { cache: 'no-store' })
    return own !== null && reply.ok && !(await reply.text()).includes(new URL(own.src).pathname)
  } catch {
    return false
  }
}
