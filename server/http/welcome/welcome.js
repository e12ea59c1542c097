// The token stands after the #, where no server sees it.
const token = location.hash.slice(1)
const form = document.querySelector('form')
const problem = document.querySelector('[role=alert]')

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  problem.textContent = ''
  const { email, password } = Object.fromEntries(new FormData(form))
  try {
    const answer = await fetch('/api/v1/session/password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, password, ...(email && { email }) }),
    })
    const { success, error, person } = await answer.json()
    if (!success) throw new Error(error.message)
    history.replaceState(null, '', location.pathname)
    form.remove()
    document.querySelector('#lead').textContent =
      `You are signed in as ${person.email}. The API reference at /docs works with this session; the console is being built.`
  } catch (error) {
    problem.textContent = error.message
  }
})
