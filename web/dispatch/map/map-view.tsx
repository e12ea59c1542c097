import { useDispatch } from '../dispatch.tsx'

export default function MapView() {
  const { tasks } = useDispatch()
  return <p className="p-4">{tasks.length}</p>
}
