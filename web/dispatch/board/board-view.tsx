import { useDispatch } from '../dispatch.tsx'

export default function BoardView() {
  const { tasks } = useDispatch()
  return <p className="p-4">{tasks.length}</p>
}
