/// Prints its arguments, for the steps of the demo that `mvn -q` would leave in silence.
void main(String[] words) {
    IO.println(String.join(" ", words));
}
