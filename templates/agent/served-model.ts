/** A model behind the API of a server: the provider's own server, or any other that speaks the same API. */
export interface ServedModel {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly name: string;
}
