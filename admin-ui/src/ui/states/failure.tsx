import { Alert } from "@mantine/core";

/** Why an action of a form failed; nothing for an empty message. */
export function Failure({ message }: { message: string }) {
  return (
    message !== "" && (
      <Alert color="red" variant="light" role="alert">
        {message}
      </Alert>
    )
  );
}
