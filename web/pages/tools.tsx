export default function Exploration() {
  return <p>soon</p>;
}
