trident.kernel @no_parameters() {
}
